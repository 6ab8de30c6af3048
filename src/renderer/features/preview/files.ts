/** Files as they were indexed, kept while they are current. */
import { LRUCache } from 'lru-cache';
import { useEffect, useState } from 'react';
import type { FileDetail } from '../../../shared/detail.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';

const files = new LRUCache<string, Promise<FileDetail>>({ max: 20 });

function readFile(repository: string, path: string): Promise<FileDetail> {
  const key = `${repository} ${path}`;
  const file = files.get(key) ?? engine.call('file', { repository, request: { path } });
  files.set(key, file);
  file.catch(() => files.delete(key));
  return file;
}

export const followFiles = (): Stop =>
  stopAll(
    onIndexChange((paths) => {
      const repository = useApp.getState().repository?.id;
      if (!paths) files.clear();
      else for (const path of paths) files.delete(`${repository} ${path}`);
    }),
    // The engine does not report changes of a repository that is not open.
    onRepositoryChange(() => files.clear()),
  );

type FileState =
  | { state: 'loading' }
  | { state: 'ready'; file: FileDetail }
  | { state: 'failed'; failure: Failure };

const ready = (file: FileDetail): FileState => ({ state: 'ready', file });

/** One that was read again and is as it was: whoever shows it need not do so anew. */
const isShown = (found: FileState, file: FileDetail): boolean =>
  found.state === 'ready' && JSON.stringify(found.file) === JSON.stringify(file);

/** The file of this path, read again when it changes on disk. The one before stays until the next is there. */
export function useFile(path: string | null): FileState {
  const repository = useApp((state) => state.repository?.id);
  const [found, setFound] = useState<FileState>({ state: 'loading' });
  const [version, setVersion] = useState(0);
  useEffect(
    () =>
      onIndexChange((paths) => {
        if (path && (paths?.includes(path) ?? true)) setVersion((before) => before + 1);
      }),
    [path],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is to be read again
  useEffect(() => {
    if (!repository || !path) return;
    let wanted = true;
    readFile(repository, path).then(
      (file) => wanted && setFound((before) => (isShown(before, file) ? before : ready(file))),
      (failure: Failure) => wanted && setFound({ state: 'failed', failure }),
    );
    return () => {
      wanted = false;
    };
  }, [repository, path, version]);
  return found;
}
