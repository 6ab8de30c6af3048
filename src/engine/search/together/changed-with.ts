/** What past commits edited together with a definition. */
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { HistoryIndex } from '../../history/history-index.ts';

export interface Together {
  /** How many commits edited both. */
  commits: number;
  /** What share of the one's changes that is, a commit counting less by the root of what else it edits. */
  share: number;
}

/** In a commit of more, that two definitions changed together says nothing. */
const MAX_TOGETHER = 100;
/** As many changes as these without a companion are added to those that a definition has. */
const SMOOTHING = 3;

/** By number of definition in the history. */
export function changedWith(definition: number, history: HistoryIndex): Map<number, Together> {
  const changes = history.commitsOfDefinition(definition);
  const together = new Map<number, Together>();
  for (const commit of changes) {
    const { definitions } = history.commit(commit);
    if (definitions.length > MAX_TOGETHER) continue;
    const share = 1 / Math.sqrt(definitions.length - 1) / (changes.length + SMOOTHING);
    for (const other of definitions) {
      if (other === definition) continue;
      const found = getOrAdd(together, other, () => ({ commits: 0, share: 0 }));
      found.commits++;
      found.share += share;
    }
  }
  return together;
}
