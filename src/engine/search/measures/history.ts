/** What the repository's past says; all 0 where there is none. `history-evidence.ts` tells the method. */
import { grouped } from '../../../shared/grouped.ts';
import { present } from '../../../shared/present.ts';
import type { HistoryIndex } from '../../history/history-index.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach } from './candidates.ts';
import { type HistoryEvidence, historyEvidence } from './history-evidence.ts';

const UNKNOWN = -1;

export function definitionOf(slot: number, { index }: Candidates): number {
  return index.history?.definition(index.chunk(slot)) ?? UNKNOWN;
}

export function fileOf(slot: number, { index }: Candidates): number {
  return index.history?.file(index.chunk(slot).path) ?? UNKNOWN;
}

export function measureTraces(
  candidates: Candidates,
  traceOf: (evidence: HistoryEvidence, slot: number) => { value: number } | undefined,
): Float64Array {
  const evidence = historyEvidence(candidates);
  return measureEach(candidates, (_, slot) => (evidence && traceOf(evidence, slot)?.value) ?? 0);
}

export function measureChanges(
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

/** The repository's past, where it gave a value. */
export function historyOf({ index }: Candidates): HistoryIndex {
  return present(index.history, 'the history');
}

const SUBJECT = 80;

/** Such as `a1b2c3d "Fix cookie path on redirect" (2021)`. */
export function commitText(commit: number, candidates: Candidates): string {
  const { hash, subject, time } = historyOf(candidates).commit(commit);
  // Not between the halves of a character outside the basic plane.
  const cut = subject.slice(0, SUBJECT - 1).replace(/[\ud800-\udbff]$/, '');
  const shown = subject.length > SUBJECT ? `${cut}…` : subject;
  return `${hash.slice(0, 7)} "${shown}" (${yearOf(time)})`;
}

/** @param changes at least one, newest first. */
export function changesText(changes: readonly number[], candidates: Candidates): string {
  const history = historyOf(candidates);
  const { time } = history.commit(present(changes[0], 'a change'));
  const times = changes.length === 1 ? 'once' : `${changes.length} times`;
  return `changed ${times} in the last ${grouped(history.commits.length)} commits, lately in ${yearOf(time)}`;
}

function yearOf(time: number): string {
  const year = new Date(time * 1000).getUTCFullYear();
  return Number.isNaN(year) ? '?' : String(year);
}
