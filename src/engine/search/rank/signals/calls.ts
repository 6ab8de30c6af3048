import { quoted } from '../../../../shared/quoted.ts';
import { callersByPlace } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import { measureSlots, withFamily } from './signal.ts';
import { asNumber } from './wording.ts';

export const TRACE_SIGNALS = withFamily('place', [
  /**
   * 1 / distance from the end of the traceback, for a chunk that is one of its frames: 1 for the innermost frame of
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
    format: (value) => (value === 1 ? 'innermost' : value.toFixed(2)),
    explain({ slot, value, candidates: { issue } }) {
      const frames = issue.frames.filter((mention) => mention.slot === slot);
      return {
        sentence: value === 1 ? 'innermost frame of the traceback' : 'frame of the traceback',
        spans: frames.map(({ span }) => span),
      };
    },
  },
]);

export const CALL_SIGNALS = withFamily('calls', [
  /** For a chunk that the issue's code calls or imports: 1 / root of the number of definitions that the use may mean. */
  {
    name: 'repro',
    title: 'Called by the issue’s code',
    measure: (candidates) => measureSlots(candidates, candidates.used.values),
    format: asNumber(2),
    explain({ slot, candidates: { index, issue } }) {
      const { parent } = index.chunk(slot);
      const uses = issue.uses.filter(({ slots }) => slots.includes(slot) || slots.includes(parent));
      const spans = uses.flatMap((use) => use.spans);
      return { sentence: 'called by the code of the issue', spans };
    },
  },
  /** For a chunk that those call in turn, up to two calls away: less with each call, and with the number of callees. */
  {
    name: 'reproCalls',
    title: 'Behind what the issue’s code calls',
    measure: (candidates) => measureSlots(candidates, candidates.used.reached),
    format: asNumber(2),
    explain({ slot, candidates: { index, used } }) {
      const callers = callersByPlace(slot, index).filter(
        (caller) => used.values.has(caller.slot) || used.reached.has(caller.slot),
      );
      const first = callers.slice(0, 3);
      const names = first.map((caller) => quoted(index.chunk(caller.slot).qualifiedName));
      const called = names.length > 0 && `called by ${names.join(', ')}`;
      return { sentence: called || 'behind what the code of the issue calls' };
    },
  },
  /** 1 where one of the twenty best by similarity and BM25F calls the chunk. Guessed calls do not count. */
  {
    name: 'called',
    title: 'Called by strong results',
    measure(candidates) {
      const { index, top } = candidates;
      const callees = new Map<number, number>();
      for (const slot of top)
        for (const callee of index.callees(slot))
          if (!callee.guess && callee.slot !== slot) callees.set(callee.slot, 1);
      return measureSlots(candidates, callees);
    },
    format: asNumber(2),
    explain({ slot, candidates, rankOf }) {
      const callers = callersAmong(slot, candidates).sort((a, b) => rankOf(a) - rankOf(b));
      const shown = callers.slice(0, 3).map((caller) => {
        return `#${rankOf(caller)} ${quoted(candidates.index.chunk(caller).qualifiedName)}`;
      });
      const left = callers.length - shown.length;
      const more = left > 0 ? ` and ${left} more` : '';
      return { sentence: `called by ${shown.join(', ')}${more}` };
    },
  },
]);

function callersAmong(slot: number, { index, top }: Candidates): number[] {
  const calls = (caller: number) =>
    index.callees(caller).some((callee) => callee.slot === slot && !callee.guess);
  return top.filter((caller) => caller !== slot && calls(caller));
}
