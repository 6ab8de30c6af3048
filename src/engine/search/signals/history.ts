/** What the repository's past says; all 0 where there is none. `history-evidence.ts` tells the method. */
import type { HistoryIndex } from '../../history/history-index.ts';
import type { Candidates } from '../candidates.ts';
import { type HistoryEvidence, historyEvidence } from './history-evidence.ts';
import { measureEach, type Signal } from './signal.ts';

/** How much a commit that edited the chunk is like the issue, by its message. */
export const historyChunk: Signal = {
  name: 'historyChunk',
  measure: (candidates) =>
    measureTraces(candidates, ({ definitions }, slot) =>
      definitions.get(definitionOf(slot, candidates)),
    ),
  explain(slot, candidates) {
    const trace = historyEvidence(candidates)!.definitions.get(definitionOf(slot, candidates))!;
    return { detail: `edited by ${commitText(trace.commit, candidates)}` };
  },
};

/** The same for the chunk's file. */
export const historyFile: Signal = {
  name: 'historyFile',
  measure: (candidates) =>
    measureTraces(candidates, ({ files }, slot) => files.get(fileOf(slot, candidates))),
  explain(slot, candidates) {
    const trace = historyEvidence(candidates)!.files.get(fileOf(slot, candidates))!;
    return { detail: `file edited by ${commitText(trace.commit, candidates)}` };
  },
};

/** How often and how lately the chunk changed: changes by freshness, on a logarithmic scale. */
export const churn: Signal = {
  name: 'churn',
  measure: (candidates) =>
    measureChanges(candidates, (history, slot) =>
      history.commitsOfDefinition(definitionOf(slot, candidates)),
    ),
  explain: (slot, candidates) => ({
    detail: changesText(
      candidates.index.history!.commitsOfDefinition(definitionOf(slot, candidates)),
      candidates,
    ),
  }),
};

/** The same for the chunk's file. */
export const churnFile: Signal = {
  name: 'churnFile',
  measure: (candidates) =>
    measureChanges(candidates, (history, slot) => history.commitsOfFile(fileOf(slot, candidates))),
  explain: (slot, candidates) => ({
    detail: `file ${changesText(
      candidates.index.history!.commitsOfFile(fileOf(slot, candidates)),
      candidates,
    )}`,
  }),
};

/** How much the chunk changes together with the best by similarity and BM25F. */
export const cochange: Signal = {
  name: 'cochange',
  measure: (candidates) =>
    measureTraces(candidates, ({ together }, slot) => together.get(definitionOf(slot, candidates))),
  explain(slot, candidates) {
    const evidence = historyEvidence(candidates)!;
    const trace = evidence.together.get(definitionOf(slot, candidates))!;
    const other = candidates.index.history!.nameOf(trace.with);
    return { detail: `changed together with ${other} by ${commitText(trace.commit, candidates)}` };
  },
};

export const HISTORY_SIGNALS: readonly Signal[] = [
  historyChunk,
  historyFile,
  churn,
  churnFile,
  cochange,
];

const UNKNOWN = -1;

function definitionOf(slot: number, { index }: Candidates): number {
  const { path, qualifiedName } = index.chunks[slot]!;
  return index.history?.definition(path, qualifiedName) ?? UNKNOWN;
}

function fileOf(slot: number, { index }: Candidates): number {
  return index.history?.file(index.chunks[slot]!.path) ?? UNKNOWN;
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
    for (const commit of changesOf(history, slot)) sum += history.commits[commit].freshness;
    return Math.log1p(sum);
  });
}

const SUBJECT = 80;

/** Such as `a1b2c3d "Fix cookie path on redirect" (2021)`. */
function commitText(commit: number, { index }: Candidates): string {
  const { hash, subject, time } = index.history!.commits[commit];
  // Not between the halves of a character outside the basic plane.
  const cut = subject.slice(0, SUBJECT - 1).replace(/[\ud800-\udbff]$/, '');
  const shown = subject.length > SUBJECT ? `${cut}…` : subject;
  return `${hash.slice(0, 7)} "${shown}" (${yearOf(time)})`;
}

function changesText(changes: readonly number[], { index }: Candidates): string {
  const { commits } = index.history!;
  const times = changes.length === 1 ? 'once' : `${changes.length} times`;
  return `changed ${times} in the last ${commits.length.toLocaleString('en')} commits, lately in ${yearOf(commits[changes[0]].time)}`;
}

function yearOf(time: number): string {
  const year = new Date(time * 1000).getUTCFullYear();
  return Number.isNaN(year) ? '?' : String(year);
}
