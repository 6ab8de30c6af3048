/** Cache of files as they were indexed. */

import { useEffect, useState } from 'react';
import type { FileDetail } from '../../../shared/detail.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';

const files = new RecentMap<Promise<FileDetail>>(20);

function loadFile(repository: string, path: string): Promise<FileDetail> {
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

/** Returns true if the file is unchanged, so that it need not be shown again. */
const isUnchanged = (before: FileState, file: FileDetail): boolean =>
  before.state === 'ready' && JSON.stringify(before.file) === JSON.stringify(file);

/** Returns the file at a path, and reloads it when it changes on disk. The previous file stays until the next is loaded. */
export function useFile(path: string | null): FileState {
  const repository = useApp((state) => state.repository?.id);
  const [state, setState] = useState<FileState>({ state: 'loading' });
  const [version, setVersion] = useState(0);
  useEffect(
    () =>
      onIndexChange((paths) => {
        if (path && (paths?.includes(path) ?? true)) setVersion((before) => before + 1);
      }),
    [path],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version must be loaded again
  useEffect(() => {
    if (!repository || !path) return;
    let isCurrent = true;
    loadFile(repository, path).then(
      (file) =>
        isCurrent && setState((before) => (isUnchanged(before, file) ? before : ready(file))),
      (failure: Failure) => isCurrent && setState({ state: 'failed', failure }),
    );
    return () => {
      isCurrent = false;
    };
  }, [repository, path, version]);
  return state;
}
