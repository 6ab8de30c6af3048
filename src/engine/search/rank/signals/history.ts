/** Signals of the repository's past; all 0 without history. `history-evidence.ts` has the method. */
import { grouped } from '../../../../shared/grouped.ts';
import { present } from '../../../../shared/present.ts';
import { quoted } from '../../../../shared/quoted.ts';
import type { HistoryIndex } from '../../../history/history-index.ts';
import type { Candidates } from '../../gather/gather.ts';
import { type HistoryEvidence, historyEvidence } from './history-evidence.ts';
import { measureEach, signalsOf } from './signal.ts';
import { asNumber } from './wording.ts';

export const HISTORY_SIGNALS = signalsOf('history', [
  /** Similarity to the issue of the messages of commits that edited the chunk; the best commit counts. */
  {
    name: 'historyChunk',
    title: 'Edited by commits like this',
    measure: (candidates) =>
      measureTraces(candidates, ({ definitions }, slot) =>
        definitions.get(definitionOf(slot, candidates)),
      ),
    format: asNumber(2),
    explain({ slot, candidates }) {
      const trace = historyEvidence(candidates)?.definitions.get(definitionOf(slot, candidates));
      return { sentence: `edited by ${commitText(trace, candidates)}` };
    },
  },
  /** Similarity to the issue of the messages of commits that edited the chunk's file; the best commit counts. */
  {
    name: 'historyFile',
    title: 'Its file edited by commits like this',
    measure: (candidates) =>
      measureTraces(candidates, ({ files }, slot) => files.get(fileOf(slot, candidates))),
    format: asNumber(2),
    explain({ slot, candidates }) {
      const trace = historyEvidence(candidates)?.files.get(fileOf(slot, candidates));
      return { sentence: `file edited by ${commitText(trace, candidates)}` };
    },
  },
  /** Sum of the freshness of the chunk's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churn',
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
  },
  /** Sum of the freshness of the file's changes, on a logarithmic scale: high for frequent and recent changes. */
  {
    name: 'churnFile',
    title: 'How much its file changes',
    measure: (candidates) =>
      measureChanges(candidates, (history, slot) =>
        history.commitsOfFile(fileOf(slot, candidates)),
      ),
    format: asNumber(2),
    explain({ slot, candidates }) {
      const changes = historyOf(candidates).commitsOfFile(fileOf(slot, candidates));
      return { sentence: `its file ${changesText(changes, candidates)}` };
    },
  },
  /** Weighted share of the best candidates' changes (best by similarity and BM25F) in which the chunk changed too. */
  {
    name: 'cochange',
    title: 'Changes with strong results',
    measure: (candidates) =>
      measureTraces(candidates, ({ together }, slot) =>
        together.get(definitionOf(slot, candidates)),
      ),
    format: asNumber(3),
    explain({ slot, candidates }) {
      const together = historyEvidence(candidates)?.together;
      const trace = present(together?.get(definitionOf(slot, candidates)), 'the trace of a chunk');
      const other = historyOf(candidates).nameOf(trace.with);
      const commit = commitText(trace, candidates);
      return { sentence: `changed together with ${quoted(other)} by ${commit}` };
    },
  },
]);

const UNKNOWN = -1;

function definitionOf(slot: number, { index }: Candidates): number {
  return index.history?.definition(index.chunk(slot)) ?? UNKNOWN;
}

function fileOf(slot: number, { index }: Candidates): number {
  return index.history?.file(index.chunk(slot).path) ?? UNKNOWN;
}

function measureTraces(
  candidates: Candidates,
  traceOf: (evidence: HistoryEvidence, slot: number) => { value: number } | undefined,
): Float64Array {
  const evidence = historyEvidence(candidates);
  return measureEach(candidates, (_, slot) => (evidence && traceOf(evidence, slot)?.value) ?? 0);
}

function measureChanges(
  candidates: Candidates,
  changesOf: (history: HistoryIndex, slot: number) => readonly number[],
): Float64Array {
  const { history } = candidates.index;
  return measureEach(candidates, (_, slot) => {
    if (!history) return 0;
    let sum = 0;
    for (const commit of changesOf(history, slot)) sum += history.commit(commit).freshness;
    return Math.log1p(sum);
  });
}

function historyOf({ index }: Candidates): HistoryIndex {
  return present(index.history, 'the history');
}

const SUBJECT = 80;

/** Such as `` a1b2c3d `Fix cookie path on redirect` (2021) ``. */
function commitText(trace: { commit: number } | undefined, candidates: Candidates): string {
  const { commit } = present(trace, 'the trace of a chunk');
  const { hash, subject, time } = historyOf(candidates).commit(commit);
  // Not between the halves of a character outside the basic plane.
  const cut = subject.slice(0, SUBJECT - 1).replace(/[\ud800-\udbff]$/, '');
  const shown = subject.length > SUBJECT ? `${cut}…` : subject;
  return `${hash.slice(0, 7)} ${quoted(shown)} (${yearOf(time)})`;
}

/** @param changes at least one, newest first. */
function changesText(changes: readonly number[], candidates: Candidates): string {
  const history = historyOf(candidates);
  const { time } = history.commit(present(changes[0], 'a change'));
  const times = changes.length === 1 ? 'once' : `${changes.length} times`;
  return `changed ${times} in the last ${grouped(history.commits.length)} commits, lately in ${yearOf(time)}`;
}

function yearOf(time: number): string {
  const year = new Date(time * 1000).getUTCFullYear();
  return Number.isNaN(year) ? '?' : String(year);
}
