import { asNumber } from '../measures/format.ts';
import { changesText, fileOf, historyOf, measureChanges } from '../measures/history.ts';
import type { Signal } from './signal.ts';

/** How often and how lately the chunk's file changed: changes by freshness, on a logarithmic scale. */
export const churnFile: Signal = {
  name: 'churnFile',
  family: 'history',
  title: 'How much its file changes',
  measure: (candidates) =>
    measureChanges(candidates, (history, slot) => history.commitsOfFile(fileOf(slot, candidates))),
  format: asNumber(2),
  explain({ slot, candidates }) {
    const changes = historyOf(candidates).commitsOfFile(fileOf(slot, candidates));
    return { sentence: `its file ${changesText(changes, candidates)}` };
  },
};
