import { throwIfCancelled } from '../../base/cancel.ts';
import { present } from '../../shared/present.ts';
import { HistoryIndex } from '../history/history-index.ts';
import { historyReader, readCommits } from '../history/read-commits.ts';
import { listCommits } from '../history/read-history.ts';
import { ReaderThread } from '../history/reader-thread.ts';
import type { Commit } from '../history/types.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { SourceTree } from '../source/types.ts';
import type { Store } from '../store/store.ts';

/** Commits behind a snapshot that count, and how many are looked at to find as many that edit indexed files. */
export const MAX_COMMITS = 5_000;
const MAX_LOOKED_AT = 20_000;
const BATCH_COMMITS = 250;
/** Commits that git is asked for at first, to see how many of them count, and then at most: starting it takes long for a process of this size. */
const FIRST = 1_000;
const MOST_AT_ONCE = 5_000;
/** More commits than these are read in a thread of its own, which takes a tenth of a second to start. */
const READ_IN_PLACE = 100;

export interface HistoryStageParts {
  store: Store;
  index: RepositoryIndex;
  tree: SourceTree;
  signal?: AbortSignal;
}

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
  const state = `${head} ${historyReader()}`;
  if (store.history.linked(index.snapshotId) === state) return null;
  return { state, hashes: await listCommits(tree.root, head, MAX_LOOKED_AT, signal) };
}

/**
 * Reads the commits that were not read before; returns the ids of the newest that count. `onCommits` is told how many of
 * those were found. What is stored when it is cancelled is not read again.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function readHistory(
  parts: HistoryStageParts,
  hashes: readonly string[],
  onCommits: (count: number) => void,
): Promise<number[]> {
  const { store, signal } = parts;
  const linked: number[] = [];
  const reader = new Reader();
  try {
    for (let start = 0; start < hashes.length && linked.length < MAX_COMMITS; ) {
      throwIfCancelled(signal, 'Indexing');
      const batch = hashes.slice(start, start + toRead(start, linked.length));
      await readUnknown(parts, batch, reader, onCommits);
      const found = batch.map((hash) =>
        present(store.history.find(hash, historyReader()), `commit ${hash}`),
      );
      linked.push(...found.filter((commit) => commit.useful).map((commit) => commit.id));
      start += batch.length;
    }
  } finally {
    await reader.close();
  }
  return linked.slice(0, MAX_COMMITS);
}

/** Reads commits, in a thread of its own from the first time on that there are many of them. */
class Reader {
  #thread: ReaderThread | null = null;

  read(root: string, hashes: readonly string[], signal?: AbortSignal): AsyncGenerator<Commit[]> {
    if (hashes.length <= READ_IN_PLACE) return readCommits(root, hashes, signal);
    this.#thread ??= new ReaderThread();
    return this.#thread.read(root, hashes, signal);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

/** Links the snapshot with these commits, and reads them into memory. */
export function linkHistory(
  { store, index }: HistoryStageParts,
  state: string,
  commitIds: readonly number[],
): void {
  store.transaction(() => store.history.link(index.snapshotId, state, commitIds));
  index.history = HistoryIndex.from(store.history.ofSnapshot(index.snapshotId));
}

/** How many commits have to be looked at, going by those so far, until enough of them count. */
function toRead(looked: number, useful: number): number {
  const expected = ((MAX_COMMITS - useful) * looked) / Math.max(1, useful);
  return looked === 0 ? FIRST : Math.min(MOST_AT_ONCE, BATCH_COMMITS + Math.ceil(expected));
}

/** Stores those that are not stored; `onCommits` is told of those that count as they come, and of those that were known. */
async function readUnknown(
  { store, tree, signal }: HistoryStageParts,
  batch: readonly string[],
  reader: Reader,
  onCommits: (count: number) => void,
): Promise<void> {
  const found = batch.map((hash) => store.history.find(hash, historyReader()));
  onCommits(found.filter((commit) => commit?.useful).length);
  const unknown = new Set(batch.filter((_, i) => !found[i]));
  if (unknown.size === 0) return;
  const read: Commit[] = [];
  const put = (commits: readonly Commit[]) => {
    store.transaction(() => store.history.put(commits, historyReader()));
    for (const { hash } of commits) unknown.delete(hash);
  };
  for await (const some of reader.read(tree.root, [...unknown], signal)) {
    throwIfCancelled(signal, 'Indexing');
    read.push(...some);
    onCommits(some.filter(({ edits }) => edits.length > 0).length);
    while (read.length > BATCH_COMMITS) put(read.splice(0, BATCH_COMMITS));
  }
  // A commit that says nothing is stored as well, so that it is known.
  const last = new Map(read.map((commit) => [commit.hash, commit]));
  put([...unknown].map((hash) => last.get(hash) ?? { hash, time: 0, message: '', edits: [] }));
}
