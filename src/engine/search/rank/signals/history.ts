/** Signals from the repository's history; all 0 without history. `history-evidence.ts` describes the method. */

import { assertPresent } from '../../../../shared/assert-present.ts';
import { formatCounted } from '../../../../shared/format-count.ts';
import { quoteText } from '../../../../shared/quote.ts';
import type { HistoryIndex } from '../../../history/history-index.ts';
import type { Candidates } from '../../gather/gather.ts';
import { describeCommit, getYear } from './commit-text.ts';
import { getHistoryEvidence, type HistoryEvidence } from './history-evidence.ts';
import { type ExplainedValue, measureEach, withFamily } from './signal.ts';
import { formatStrength } from './wording.ts';

export const HISTORY_SIGNALS = withFamily('history', [
  /** Similarity of the issue to the messages of commits that edited the chunk. The best commit counts. */
  {
    name: 'historyChunk',
    title: 'Changed in similar commits',
    ...measureTrace(
      ({ definitions }, slot, candidates) => definitions.get(getDefinition(slot, candidates)),
      (commit) => `changed in a similar commit: ${commit}`,
    ),
  },
  /** Similarity of the issue to the messages of commits that edited the chunk's file. The best commit counts. */
  {
    name: 'historyFile',
    title: 'Its file changed in similar commits',
    ...measureTrace(
      ({ files }, slot, candidates) => files.get(getFile(slot, candidates)),
      (commit) => `its file changed in a similar commit: ${commit}`,
    ),
  },
  /** Sum of the freshness of the chunk's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churn',
    title: 'How often it changes',
    ...measureChanges((history, slot, candidates) =>
      history.getDefinitionCommits(getDefinition(slot, candidates)),
    ),
  },
  /** Sum of the freshness of the file's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churnFile',
    title: 'How often its file changes',
    ...measureChanges((history, slot, candidates) =>
      history.getFileCommits(getFile(slot, candidates)),
    ),
  },
  /** Weighted share of the best candidates' changes (best by similarity and BM25F) in which the chunk changed too. */
  {
    name: 'cochange',
    title: 'Changed together with strong results',
    ...measureTrace(
      ({ together }, slot, candidates) => together.get(getDefinition(slot, candidates)),
      (commit, other) => `changed together with ${other}: ${commit}`,
    ),
    format: (value) => (value === 0 ? 'none' : `strength ${value.toFixed(3)}`),
  },
]);

const UNKNOWN = -1;

function getDefinition(slot: number, { index }: Candidates): number {
  return index.history?.findDefinition(index.getChunk(slot)) ?? UNKNOWN;
}

function getFile(slot: number, { index }: Candidates): number {
  return index.history?.findFile(index.getChunk(slot).path) ?? UNKNOWN;
}

interface HistoryTrace {
  value: number;
  commit: number;
  /** Number of the definition that changed together with the chunk. */
  with?: number;
}

/**
 * Returns the members of a signal whose value is that of a trace.
 * @param writeSentence gets the commit, and the definition that changed together with the chunk
 */
function measureTrace(
  findTrace: (
    evidence: HistoryEvidence,
    slot: number,
    candidates: Candidates,
  ) => HistoryTrace | undefined,
  writeSentence: (commit: string, other: string) => string,
) {
  return {
    measure(candidates: Candidates) {
      const evidence = getHistoryEvidence(candidates);
      return measureEach(
        candidates,
        (_, slot) => (evidence && findTrace(evidence, slot, candidates)?.value) ?? 0,
      );
    },
    format: formatStrength,
    explain({ slot, candidates }: ExplainedValue) {
      const evidence = assertPresent(getHistoryEvidence(candidates), 'the history');
      const trace = assertPresent(findTrace(evidence, slot, candidates), 'the trace of a chunk');
      const other =
        trace.with === undefined ? '' : getHistory(candidates).getDefinitionName(trace.with);
      return {
        sentence: writeSentence(
          describeCommit(trace.commit, getHistory(candidates)),
          quoteText(other),
        ),
      };
    },
  };
}

/**
 * Returns the members of a signal that measures how often and how recently something changed. It gives no reason, since it is
 * independent of the issue.
 */
function measureChanges(
  listChanges: (history: HistoryIndex, slot: number, candidates: Candidates) => readonly number[],
) {
  return {
    measure(candidates: Candidates) {
      const { history } = candidates.index;
      return measureEach(candidates, (_, slot) => {
        if (!history) return 0;
        let sum = 0;
        for (const commit of listChanges(history, slot, candidates))
          sum += history.getCommit(commit).freshness;
        return Math.log1p(sum);
      });
    },
    format: formatStrength,
    explain({ slot, candidates }: ExplainedValue) {
      const changes = listChanges(getHistory(candidates), slot, candidates);
      return { sentence: null, measured: describeChanges(changes, candidates) };
    },
  };
}

function getHistory({ index }: Candidates): HistoryIndex {
  return assertPresent(index.history, 'the history');
}

/** @param changes at least one commit, newest first */
function describeChanges(changes: readonly number[], candidates: Candidates): string {
  const history = getHistory(candidates);
  const { time } = history.getCommit(assertPresent(changes[0], 'a change'));
  return `${formatCounted(changes.length, 'change')}, last in ${getYear(time)}`;
}
