import { present } from '../../../shared/present.ts';
import { asNumber } from '../measures/format.ts';
import { commitText, definitionOf, historyOf, measureTraces } from '../measures/history.ts';
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
    const together = historyEvidence(candidates)?.together;
    const trace = present(together?.get(definitionOf(slot, candidates)), 'the trace of a chunk');
    const other = historyOf(candidates).nameOf(trace.with);
    return {
      sentence: `changed together with \`${other}\` by ${commitText(trace.commit, candidates)}`,
    };
  },
};
