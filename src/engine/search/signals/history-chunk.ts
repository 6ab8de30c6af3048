import { present } from '../../../shared/present.ts';
import { asNumber } from '../measures/format.ts';
import { commitText, definitionOf, measureTraces } from '../measures/history.ts';
import { historyEvidence } from '../measures/history-evidence.ts';
import type { Signal } from './signal.ts';

/** How much a commit that edited the chunk is like the issue, by its message. */
export const historyChunk: Signal = {
  name: 'historyChunk',
  family: 'history',
  title: 'Edited by commits like this',
  measure: (candidates) =>
    measureTraces(candidates, ({ definitions }, slot) =>
      definitions.get(definitionOf(slot, candidates)),
    ),
  format: asNumber(2),
  explain({ slot, candidates }) {
    const definitions = historyEvidence(candidates)?.definitions;
    const trace = present(definitions?.get(definitionOf(slot, candidates)), 'the trace of a chunk');
    return { sentence: `edited by ${commitText(trace.commit, candidates)}` };
  },
};
