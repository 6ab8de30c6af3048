import { isCertainCall, listCallersByLocation } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import { measureSlots, withFamily } from './signal.ts';
import { formatShare, formatStrength, formatYesOrNo, nameChunk } from './wording.ts';

export const TRACEBACK_SIGNALS = withFamily('location', [
  /**
   * 1 / distance from the point of failure, for a chunk that is a frame of the traceback: 1 for the innermost frame in
   * this repository, 1/2 for its caller, and so on.
   */
  {
    name: 'frame',
    title: 'In the traceback',
    measure(candidates) {
      const inside = candidates.issue.frames.filter(({ slot }) => slot >= 0);
      const values = new Map(inside.map(({ slot }, i) => [slot, 1 / (inside.length - i)]));
      return measureSlots(candidates, values);
    },
    format(value) {
      if (value === 0) return 'no';
      return value === 1 ? 'top frame' : `frame ${Math.round(1 / value)} from the top`;
    },
    explain({ slot, value, candidates: { issue } }) {
      const frames = issue.frames.filter((mention) => mention.slot === slot);
      return {
        sentence: value === 1 ? 'top frame of the traceback' : 'a frame of the traceback',
        spans: frames.map(({ span }) => span),
      };
    },
  },
]);

export const CALL_SIGNALS = withFamily('calls', [
  /** For a chunk that the issue's code calls or imports: 1 / √n for the n definitions that the call may mean. */
  {
    name: 'repro',
    title: 'Called by the code in the issue',
    measure: (candidates) => measureSlots(candidates, candidates.used.values),
    format: formatShare,
    explain({ slot, candidates: { index, issue } }) {
      const { parent } = index.getChunk(slot);
      const uses = issue.uses.filter(({ slots }) => slots.includes(slot) || slots.includes(parent));
      const spans = uses.flatMap((use) => use.spans);
      return { sentence: 'called by the code in the issue', spans };
    },
  },
  /** For a chunk up to two calls away from such a chunk: less with each call, and with the number of callees. */
  {
    name: 'reproCalls',
    title: 'Reached from the code in the issue',
    measure: (candidates) => measureSlots(candidates, candidates.used.reached),
    format: formatStrength,
    explain({ slot, candidates: { index, used } }) {
      const callers = listCallersByLocation(slot, index);
      const list = (known: ReadonlyMap<number, number>) =>
        callers
          .filter((caller) => known.has(caller.slot))
          .slice(0, 3)
          .map((caller) => nameChunk(index.getChunk(caller.slot)))
          .join(', ');
      const direct = list(used.values);
      const indirect = list(used.reached);
      const sentence = direct
        ? `called by ${direct}, which the code in the issue calls`
        : indirect
          ? `called by ${indirect}, which the code in the issue calls indirectly`
          : 'called indirectly by the code in the issue';
      return { sentence };
    },
  },
  /** 1 if one of the twenty best chunks by similarity and BM25F calls it. Guessed calls do not count. */
  {
    name: 'called',
    title: 'Called by strong results',
    measure(candidates) {
      const { index, top } = candidates;
      const callees = new Map<number, number>();
      for (const slot of top)
        for (const callee of index.getCallees(slot))
          if (isCertainCall(callee) && callee.slot !== slot) callees.set(callee.slot, 1);
      return measureSlots(candidates, callees);
    },
    format: formatYesOrNo,
    explain({ slot, candidates, rankOf }) {
      const { index } = candidates;
      const callers = findStrongCallers(slot, candidates)
        .filter((caller) => rankOf(caller) <= MAX_STRONG_RANK)
        .sort((a, b) => rankOf(a) - rankOf(b));
      if (callers.length === 0) return { sentence: null };
      const shown = callers
        .slice(0, 3)
        .map((caller) => `${nameChunk(index.getChunk(caller))} (rank ${rankOf(caller)})`);
      const left = callers.length - shown.length;
      const more = left > 0 ? ` and ${left} more` : '';
      return { sentence: `called by ${shown.join(', ')}${more}` };
    },
  },
]);

/** Maximum rank of a caller that a sentence names: further down, it would not convince anyone. */
const MAX_STRONG_RANK = 50;

function findStrongCallers(slot: number, { index, top }: Candidates): number[] {
  const calls = (caller: number) =>
    index.getCallees(caller).some((callee) => callee.slot === slot && isCertainCall(callee));
  return top.filter((caller) => caller !== slot && calls(caller));
}
