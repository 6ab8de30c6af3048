import { asNumber } from '../measures/format.ts';
import { commitText, definitionOf, measureTraces } from '../measures/history.ts';
import { historyEvidence } from '../measures/history-evidence.ts';
import type { Signal } from './signal.ts';

/** How much the chunk changes together with the best by similarity and BM25F. */
export const cochange: Signal = {
  name: 'cochange',
  family: 'history',
  title: 'Changes with strong results',
  measure: (candidates) =>
    measureTraces(candidates, ({ together }, slot) => together.get(definitionOf(slot, candidates))),
  format: asNumber(3),
  explain({ slot, candidates }) {
    const { together } = historyEvidence(candidates)!;
    const trace = together.get(definitionOf(slot, candidates))!;
    const other = candidates.index.history!.nameOf(trace.with);
    return {
      sentence: `changed together with \`${other}\` by ${commitText(trace.commit, candidates)}`,
    };
  },
};
