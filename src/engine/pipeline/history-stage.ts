import { throwIfCancelled } from '../../base/cancel.ts';
import { readShallowBoundary } from '../../base/git/shallow.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { HistoryIndex } from '../history/history-index.ts';
import { HistoryThread } from '../history/history-thread.ts';
import { getHistoryReader, readCommits } from '../history/read-commits.ts';
import { listCommits } from '../history/read-history.ts';
import type { Commit } from '../history/types.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { SourceTree } from '../source/types.ts';
import type { Store } from '../store/store.ts';

/** Maximum number of commits of a snapshot that edit indexed files, and maximum number of commits read to find them. */
export const MAX_COMMITS = 5_000;
const MAX_LOOKED_AT = 20_000;
const BATCH_COMMITS = 250;
/** Number of commits in the first call of git, which shows how many of them edit indexed files, and maximum number in later calls. */
const FIRST_BATCH = 1_000;
const MAX_AT_ONCE = 5_000;
/** Number of commits up to which no thread is started, since that takes a tenth of a second. */
const READ_IN_PLACE = 100;

export interface HistoryStageContext {
  store: Store;
  index: RepositoryIndex;
  tree: SourceTree;
  signal?: AbortSignal;
}

export interface PendingHistory {
  /** State of history to link the snapshot to. */
  state: string;
  /** Commit ids, newest first. */
  hashes: string[];
}

/**
 * Returns the history to read, or null if none exists or if it is already linked.
 * @throws GitFailure; LocusError `cancelled`
 */
export async function findPendingHistory(
  context: HistoryStageContext,
): Promise<PendingHistory | null> {
  const { store, index, tree, signal } = context;
  const head = await tree.getHead(signal);
  if (!head) return null;
  // A shallow clone can get more history without another head.
  const state = `${head} ${getHistoryReader()} ${readShallowBoundary(tree.root)}`.trimEnd();
  if (store.history.getLinkedState(index.snapshotId) === state) return null;
  return { state, hashes: await listCommits(tree.root, head, MAX_LOOKED_AT, signal) };
}

/**
 * Reads the commits that were not read before. Returns the ids of the newest ones that edit indexed files; `onCommits` receives
 * their number as they are found. Commits stored before a cancellation are not read again.
 * @throws GitFailure; LocusError `cancelled`
 */
export async function readHistory(
  context: HistoryStageContext,
  hashes: readonly string[],
  onCommits: (count: number) => void,
): Promise<number[]> {
  const { store, signal } = context;
  const linked: number[] = [];
  const known = store.history.getAll(getHistoryReader());
  const reader = new LazyCommitReader();
  try {
    for (let start = 0; start < hashes.length && linked.length < MAX_COMMITS; ) {
      throwIfCancelled(signal, 'Indexing');
      const batch = hashes.slice(start, start + estimateBatch(start, linked.length));
      await readMissing(context, batch, known, reader, onCommits);
      const found = batch.map((hash) => assertPresent(known.get(hash), `commit ${hash}`));
      linked.push(...found.filter((commit) => commit.useful).map((commit) => commit.id));
      start += batch.length;
    }
  } finally {
    await reader.close();
  }
  return linked.slice(0, MAX_COMMITS);
}

/** Returns true if so many commits are unread that reading them needs a thread. */
export function takesLong({ store }: HistoryStageContext, { hashes }: PendingHistory): boolean {
  const known = store.history.getAll(getHistoryReader());
  return hashes.filter((hash) => !known.has(hash)).length > READ_IN_PLACE;
}

/** Reads commits. Uses a thread as soon as there are many. */
class LazyCommitReader {
  #thread: HistoryThread | null = null;

  read(root: string, hashes: readonly string[], signal?: AbortSignal): AsyncGenerator<Commit[]> {
    if (hashes.length <= READ_IN_PLACE) return readCommits(root, hashes, signal);
    this.#thread ??= new HistoryThread();
    return this.#thread.read(root, hashes, signal);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

/** Links the snapshot to these commits, and loads them. */
export function linkHistory(
  { store, index }: HistoryStageContext,
  state: string,
  commitIds: readonly number[],
): void {
  store.transaction(() => store.history.link(index.snapshotId, state, commitIds));
  index.history = HistoryIndex.fromCommits(store.history.readAll(index.snapshotId));
}

/** Estimates how many more commits must be read to find enough useful ones. */
function estimateBatch(looked: number, useful: number): number {
  const expected = ((MAX_COMMITS - useful) * looked) / Math.max(1, useful);
  return looked === 0 ? FIRST_BATCH : Math.min(MAX_AT_ONCE, BATCH_COMMITS + Math.ceil(expected));
}

type ReadCommits = ReturnType<Store['history']['getAll']>;

/**
 * Reads and stores the commits that are missing in `known`, and adds them to it. `onCommits` receives the number of useful ones,
 * including those already known.
 */
async function readMissing(
  { store, tree, signal }: HistoryStageContext,
  batch: readonly string[],
  known: ReadCommits,
  reader: LazyCommitReader,
  onCommits: (count: number) => void,
): Promise<void> {
  onCommits(batch.filter((hash) => known.get(hash)?.useful).length);
  const unknown = new Set(batch.filter((hash) => !known.has(hash)));
  if (unknown.size === 0) return;
  const read: Commit[] = [];
  const put = (commits: readonly Commit[]) => {
    const stored = store.transaction(() => store.history.put(commits, getHistoryReader()));
    for (const [hash, commit] of stored) {
      known.set(hash, commit);
      unknown.delete(hash);
    }
  };
  for await (const some of reader.read(tree.root, [...unknown], signal)) {
    throwIfCancelled(signal, 'Indexing');
    read.push(...some);
    onCommits(some.filter(({ edits }) => edits.length > 0).length);
    while (read.length > BATCH_COMMITS) put(read.splice(0, BATCH_COMMITS));
  }
  // Commits without edits are stored as well, so that they are not read again.
  const last = new Map(read.map((commit) => [commit.hash, commit]));
  put([...unknown].map((hash) => last.get(hash) ?? { hash, time: 0, message: '', edits: [] }));
}
