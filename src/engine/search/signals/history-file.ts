import { present } from '../../../shared/present.ts';
import { asNumber } from '../measures/format.ts';
import { commitText, fileOf, measureTraces } from '../measures/history.ts';
import { historyEvidence } from '../measures/history-evidence.ts';
import type { Signal } from './signal.ts';

/** How much a commit that edited the chunk's file is like the issue, by its message. */
export const historyFile: Signal = {
  name: 'historyFile',
  family: 'history',
  title: 'Its file edited by commits like this',
  measure: (candidates) =>
    measureTraces(candidates, ({ files }, slot) => files.get(fileOf(slot, candidates))),
  format: asNumber(2),
  explain({ slot, candidates }) {
    const files = historyEvidence(candidates)?.files;
    const trace = present(files?.get(fileOf(slot, candidates)), 'the trace of a file');
    return { sentence: `file edited by ${commitText(trace.commit, candidates)}` };
  },
};
