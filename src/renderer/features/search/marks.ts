/** Marks and notes of the issue in the editor. The engine stores them, and finds moved chunks again. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { HashedChunk } from '../../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { Mark } from '../../../shared/marks.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { addNote, onRepositoryChange, useApp } from '../../platform/state.ts';
import type { MarksByAddress } from './filters.ts';
import { getIssue, saveWithIssue } from './issue.ts';
import { dispatch, getCurrentResponse, useSearch } from './search-state.ts';

/** `pending`: number of changes without an answer from the engine. A list of marks that it sends meanwhile may lack them. */
export const useMarks = create<{ marks: MarksByAddress; pending: number }>(() => ({
  marks: new Map(),
  pending: 0,
}));

const RELOAD_AFTER_MS = 150;
const reloading = new Timer();

const countPending = (by: 1 | -1): void =>
  useMarks.setState(({ pending }) => ({ pending: pending + by }));

/** Changes marks or notes of chunks; properties missing from `change` are kept. Shown at once, then stored. */
export async function changeMarks(
  addresses: readonly ChunkAddress[],
  change: { mark?: Mark | null; note?: string },
): Promise<void> {
  const { repository } = useApp.getState();
  if (!repository || addresses.length === 0) return;
  const { marks } = useMarks.getState();
  dispatch({ type: 'rowMarked' });
  const wanted = addresses.map((chunk) => {
    const before = marks.get(chunk);
    return { chunk, mark: before?.mark ?? null, note: before?.note ?? '', ...change };
  });
  showAtOnce(wanted);
  countPending(1);
  try {
    const { missing } = await saveWithIssue((issue) =>
      engine.call('marks.set', { repository: repository.id, ...issue, marks: wanted }),
    );
    if (missing.length > 0) addNote({ ...createMissingNote(missing), repository: repository.id });
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error))
      addNote({ level: 'error', text: message, remedy, repository: repository.id });
  } finally {
    countPending(-1);
    reloadSoon();
  }
}

function createMissingNote(missing: readonly ChunkAddress[]): Parameters<typeof addNote>[0] {
  const names = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
  const text = `${missing.length} of the results could not be marked because the code has changed: ${names}`;
  return { level: 'error', text, remedy: 'Search again and mark the new results.' };
}

/** Sets a mark, or removes it if all of the chunks have it. */
export function toggleMark(addresses: readonly ChunkAddress[], mark: Mark): Promise<void> {
  const { marks } = useMarks.getState();
  const isSet = addresses.every((address) => marks.get(address)?.mark === mark);
  return changeMarks(addresses, { mark: isSet ? null : mark });
}

function showAtOnce(wanted: { chunk: ChunkAddress; mark: Mark | null; note: string }[]): void {
  const marks = new Map(useMarks.getState().marks);
  const results = getCurrentResponse()?.results ?? [];
  const found = new Map(results.map((result) => [result.address, result]));
  for (const { chunk, mark, note } of wanted) {
    if (mark === null && note === '') {
      marks.delete(chunk);
      continue;
    }
    const result = found.get(chunk);
    const now: HashedChunk | null = result ? { ...result, contentHash: '' } : null;
    const fresh = { address: chunk, state: now ? 'same' : 'gone', now } as const;
    const updatedAt = new Date().toISOString();
    marks.set(chunk, { ...(marks.get(chunk) ?? fresh), mark, note, updatedAt });
  }
  useMarks.setState({ marks });
}

const reloadSoon = (): void => reloading.set(reload, RELOAD_AFTER_MS);

async function reload(): Promise<void> {
  const repository = useApp.getState().repository?.id;
  const issue = getIssue().id;
  const isPending = () => useMarks.getState().pending > 0;
  if (!repository || isPending()) return;
  try {
    const list = await engine.call('marks.list', { repository, issue });
    if (issue !== getIssue().id || isPending()) return;
    const marks = new Map(list.map((marked) => [marked.now?.address ?? marked.address, marked]));
    if (!isEqual(marks, useMarks.getState().marks)) useMarks.setState({ marks });
  } catch {
    // The repository was closed or is being reopened. The next event reloads the marks.
  }
}

const isEqual = (a: MarksByAddress, b: MarksByAddress) =>
  JSON.stringify([...a]) === JSON.stringify([...b]);

/** Keeps the marks in sync with the issue in the editor and with the engine. */
export function followMarks(): Stop {
  return stopAll(
    useSearch.subscribe(({ issue }, before) => {
      if (issue.id === before.issue.id) return;
      useMarks.setState({ marks: new Map() });
      reloading.clear();
      reload();
    }),
    onRepositoryChange(reloadSoon),
    engine.on('changed', ({ repository, what }) => {
      if (what === 'marks' && repository === useApp.getState().repository?.id) reloadSoon();
    }),
    onIndexChange(reloadSoon),
    engine.on('indexing', ({ state }) => {
      // During the first indexing, marked chunks appear one after another.
      if (useMarks.getState().marks.size > 0 || state.phase === 'current') reloadSoon();
    }),
    () => reloading.clear(),
  );
}
