/** Signals of tracebacks, of the code in an issue, and of calls. */
import { quoted } from '../../../../shared/quoted.ts';
import { callersByPlace } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import { measureEach, type Signal } from './signal.ts';
import { asNumber } from './wording.ts';

export const CALL_SIGNALS: readonly Signal[] = [
  /**
   * 1 / distance from the end of the traceback, for a chunk that is one of its frames: 1 for the innermost frame of
   * this repository, 1/2 for its caller, and so on.
   */
  {
    name: 'frame',
    family: 'place',
    title: 'In the traceback',
    measure(candidates) {
      const inside = candidates.issue.frames.filter(({ slot }) => slot >= 0);
      const values = new Map(inside.map(({ slot }, i) => [slot, 1 / (inside.length - i)]));
      return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
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
  /** For a chunk that the issue's code calls or imports: 1 / root of the number of definitions that the use may mean. */
  {
    name: 'repro',
    family: 'calls',
    title: 'Called by the issue’s code',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => candidates.used.values.get(slot) ?? 0),
    format: asNumber(2),
    explain({ slot, candidates: { index, issue } }) {
      const { parent } = index.chunk(slot);
      const uses = issue.uses.filter(({ slots }) => slots.includes(slot) || slots.includes(parent));
      return {
        sentence: 'called by the code of the issue',
        spans: uses.flatMap(({ spans }) => spans),
      };
    },
  },
  /** For a chunk that those call in turn, up to two calls away: less with each call, and with the number of callees. */
  {
    name: 'reproCalls',
    family: 'calls',
    title: 'Behind what the issue’s code calls',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => candidates.used.reached.get(slot) ?? 0),
    format: asNumber(2),
    explain({ slot, candidates: { index, used } }) {
      const callers = callersByPlace(slot, index).filter(
        (caller) => used.values.has(caller.slot) || used.reached.has(caller.slot),
      );
      const names = callers
        .slice(0, 3)
        .map((caller) => quoted(index.chunk(caller.slot).qualifiedName));
      return {
        sentence:
          names.length > 0
            ? `called by ${names.join(', ')}`
            : 'behind what the code of the issue calls',
      };
    },
  },
  /** 1 where one of the twenty best by similarity and BM25F calls the chunk. Guessed calls do not count. */
  {
    name: 'called',
    family: 'calls',
    title: 'Called by strong results',
    measure(candidates) {
      const { index, top } = candidates;
      const callees = new Set<number>();
      for (const slot of top) {
        for (const callee of index.callees(slot)) {
          if (!callee.guess && callee.slot !== slot) callees.add(callee.slot);
        }
      }
      return measureEach(candidates, (_, slot) => (callees.has(slot) ? 1 : 0));
    },
    format: asNumber(2),
    explain({ slot, candidates, rankOf }) {
      const callers = callersAmong(slot, candidates).sort((a, b) => rankOf(a) - rankOf(b));
      const shown = callers.slice(0, 3).map((caller) => {
        return `#${rankOf(caller)} ${quoted(candidates.index.chunk(caller).qualifiedName)}`;
      });
      const more =
        callers.length > shown.length ? ` and ${callers.length - shown.length} more` : '';
      return { sentence: `called by ${shown.join(', ')}${more}` };
    },
  },
];

function callersAmong(slot: number, { index, top }: Candidates): number[] {
  return top.filter((caller) => {
    return (
      caller !== slot &&
      index.callees(caller).some((callee) => callee.slot === slot && !callee.guess)
    );
  });
}
