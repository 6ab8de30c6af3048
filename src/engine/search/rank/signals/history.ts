/** Signals of the repository's past; all 0 without history. `history-evidence.ts` has the method. */
import { grouped } from '../../../../shared/grouped.ts';
import { present } from '../../../../shared/present.ts';
import { quoted } from '../../../../shared/quoted.ts';
import type { HistoryIndex } from '../../../history/history-index.ts';
import type { Candidates } from '../../gather/gather.ts';
import { type HistoryEvidence, historyEvidence } from './history-evidence.ts';
import { type ExplainedValue, measureEach, withFamily } from './signal.ts';
import { asNumber } from './wording.ts';

export const HISTORY_SIGNALS = withFamily('history', [
  /** Similarity to the issue of the messages of commits that edited the chunk; the best commit counts. */
  {
    name: 'historyChunk',
    title: 'Edited by commits like this',
    ...tracedBy(
      ({ definitions }, slot, candidates) => definitions.get(getDefinition(slot, candidates)),
      (commit) => `edited by ${commit}`,
    ),
  },
  /** Similarity to the issue of the messages of commits that edited the chunk's file; the best commit counts. */
  {
    name: 'historyFile',
    title: 'Its file edited by commits like this',
    ...tracedBy(
      ({ files }, slot, candidates) => files.get(getFile(slot, candidates)),
      (commit) => `file edited by ${commit}`,
    ),
  },
  /** Sum of the freshness of the chunk's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churn',
    title: 'How much it changes',
    ...changedBy(
      (history, slot, candidates) => history.commitsOfDefinition(getDefinition(slot, candidates)),
      (changes) => changes,
    ),
  },
  /** Sum of the freshness of the file's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churnFile',
    title: 'How much its file changes',
    ...changedBy(
      (history, slot, candidates) => history.commitsOfFile(getFile(slot, candidates)),
      (changes) => `its file ${changes}`,
    ),
  },
  /** Weighted share of the best candidates' changes (best by similarity and BM25F) in which the chunk changed too. */
  {
    name: 'cochange',
    title: 'Changes with strong results',
    ...tracedBy(
      ({ together }, slot, candidates) => together.get(getDefinition(slot, candidates)),
      (commit, other) => `changed together with ${other} by ${commit}`,
    ),
    format: asNumber(3),
  },
]);

const UNKNOWN = -1;

function getDefinition(slot: number, { index }: Candidates): number {
  return index.history?.definition(index.chunk(slot)) ?? UNKNOWN;
}

function getFile(slot: number, { index }: Candidates): number {
  return index.history?.file(index.chunk(slot).path) ?? UNKNOWN;
}

interface Trace {
  value: number;
  commit: number;
  /** The definition that changed together with the chunk. */
  with?: number;
}

/** @param sentenceOf names the commit, and the definition that changed together with the chunk */
function tracedBy(
  traceOf: (evidence: HistoryEvidence, slot: number, candidates: Candidates) => Trace | undefined,
  sentenceOf: (commit: string, other: string) => string,
) {
  return {
    measure(candidates: Candidates) {
      const evidence = historyEvidence(candidates);
      return measureEach(
        candidates,
        (_, slot) => (evidence && traceOf(evidence, slot, candidates)?.value) ?? 0,
      );
    },
    format: asNumber(2),
    explain({ slot, candidates }: ExplainedValue) {
      const evidence = present(historyEvidence(candidates), 'the history');
      const trace = present(traceOf(evidence, slot, candidates), 'the trace of a chunk');
      const other = trace.with === undefined ? '' : getHistory(candidates).nameOf(trace.with);
      return { sentence: sentenceOf(commitText(trace.commit, candidates), quoted(other)) };
    },
  };
}

function changedBy(
  changesOf: (history: HistoryIndex, slot: number, candidates: Candidates) => readonly number[],
  sentenceOf: (changes: string) => string,
) {
  return {
    measure(candidates: Candidates) {
      const { history } = candidates.index;
      return measureEach(candidates, (_, slot) => {
        if (!history) return 0;
        let sum = 0;
        for (const commit of changesOf(history, slot, candidates))
          sum += history.commit(commit).freshness;
        return Math.log1p(sum);
      });
    },
    format: asNumber(2),
    explain({ slot, candidates }: ExplainedValue) {
      const changes = changesOf(getHistory(candidates), slot, candidates);
      return { sentence: sentenceOf(changesText(changes, candidates)) };
    },
  };
}

function getHistory({ index }: Candidates): HistoryIndex {
  return present(index.history, 'the history');
}

const SUBJECT = 80;

/** Such as `` a1b2c3d `Fix cookie path on redirect` (2021) ``. */
function commitText(commit: number, candidates: Candidates): string {
  const { hash, subject, time } = getHistory(candidates).commit(commit);
  // Not between the halves of a character outside the basic plane.
  const cut = subject.slice(0, SUBJECT - 1).replace(/[\ud800-\udbff]$/, '');
  const shown = subject.length > SUBJECT ? `${cut}…` : subject;
  return `${hash.slice(0, 7)} ${quoted(shown)} (${getYear(time)})`;
}

/** @param changes at least one, newest first. */
function changesText(changes: readonly number[], candidates: Candidates): string {
  const history = getHistory(candidates);
  const { time } = history.commit(present(changes[0], 'a change'));
  const times = changes.length === 1 ? 'once' : `${changes.length} times`;
  return `changed ${times} in the last ${grouped(history.commits.length)} commits, lately in ${getYear(time)}`;
}

function getYear(time: number): string {
  const year = new Date(time * 1000).getUTCFullYear();
  return Number.isNaN(year) ? '?' : String(year);
}
