import { asNumber } from '../measures/format.ts';
import { changesText, definitionOf, historyOf, measureChanges } from '../measures/history.ts';
import type { Signal } from './signal.ts';

/** How often and how lately the chunk changed: changes by freshness, on a logarithmic scale. */
export const churn: Signal = {
  name: 'churn',
  family: 'history',
  title: 'How much it changes',
  measure: (candidates) =>
    measureChanges(candidates, (history, slot) =>
      history.commitsOfDefinition(definitionOf(slot, candidates)),
    ),
  format: asNumber(2),
  explain({ slot, candidates }) {
    const changes = historyOf(candidates).commitsOfDefinition(definitionOf(slot, candidates));
    return { sentence: changesText(changes, candidates) };
  },
};
