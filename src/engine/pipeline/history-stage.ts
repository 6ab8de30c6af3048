import { present } from '../../shared/present.ts';
import { throwIfCancelled } from '../event-loop/pacer.ts';
import { HistoryIndex } from '../history/history-index.ts';
import { HISTORY_READER, listCommits, readCommits } from '../history/read-history.ts';
import type { Commit } from '../history/types.ts';
import { pathspecs } from '../languages/index.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { SourceTree } from '../source/types.ts';
import type { Store } from '../store/store.ts';

/** Commits behind a snapshot that count, and how many are looked at to find as many that edit indexed files. */
export const MAX_COMMITS = 5_000;
const MAX_LOOKED_AT = 20_000;
const BATCH_COMMITS = 250;

export interface HistoryStageParts {
  store: Store;
  index: RepositoryIndex;
  tree: SourceTree;
  signal?: AbortSignal;
}

/** The commits that a snapshot is to be linked with. */
export interface PendingHistory {
  /** What the link will be known by. */
  state: string;
  /** Newest first. */
  hashes: string[];
}

/**
 * What history there is to read; null where there is none, or where it is linked already.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function pendingHistory(parts: HistoryStageParts): Promise<PendingHistory | null> {
  const { store, index, tree, signal } = parts;
  const head = await tree.head(signal);
  if (!head) return null;
  const state = `${head} ${HISTORY_READER}`;
  if (store.history.linked(index.snapshotId) === state) return null;
  return { state, hashes: await listCommits(tree.root, head, MAX_LOOKED_AT, signal) };
}

/**
 * Reads the commits that were not read before, and links the snapshot with the newest that count. `onCommits` is told
 * how many of those were found. What is stored when it is cancelled is not read again.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function linkHistory(
  parts: HistoryStageParts,
  { state, hashes }: PendingHistory,
  onCommits: (count: number) => void,
): Promise<void> {
  const { store, index, signal } = parts;
  const linked: number[] = [];
  for (let start = 0; start < hashes.length && linked.length < MAX_COMMITS; ) {
    throwIfCancelled(signal);
    const batch = hashes.slice(start, start + BATCH_COMMITS);
    await readUnknown(parts, batch);
    const found = batch.map((hash) =>
      present(store.history.find(hash, HISTORY_READER), `commit ${hash}`),
    );
    const useful = found.filter((commit) => commit.useful).map((commit) => commit.id);
    linked.push(...useful);
    onCommits(useful.length);
    start += batch.length;
  }
  linked.splice(MAX_COMMITS);
  store.transaction(() => store.history.link(index.snapshotId, state, linked));
  index.history = new HistoryIndex(store.history.ofSnapshot(index.snapshotId));
}

async function readUnknown(
  { store, tree, signal }: HistoryStageParts,
  batch: readonly string[],
): Promise<void> {
  const unknown = batch.filter((hash) => !store.history.find(hash, HISTORY_READER));
  if (unknown.length === 0) return;
  const commits = new Map<string, Commit>();
  for await (const some of readCommits(tree.root, unknown, pathspecs(), signal)) {
    throwIfCancelled(signal);
    for (const commit of some) commits.set(commit.hash, commit);
  }
  // A commit that says nothing is stored as well, so that it is known.
  const all = unknown.map((hash) => commits.get(hash) ?? { hash, time: 0, message: '', edits: [] });
  store.transaction(() => store.history.put(all, HISTORY_READER));
}
