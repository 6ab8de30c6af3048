/** Notifies views of changes of the open repository's index. */
import { useEffect, useState } from 'react';
import type { IndexingState } from '../../shared/indexing.ts';
import { engine } from './client.ts';
import { type Stop, stopAll } from './lifetime.ts';
import { onRepositoryChange, useApp } from './state.ts';

/** `paths`: changed and removed files; null if unknown, so that any file may have changed. */
type Listener = (paths: readonly string[] | null) => void;

const listeners = new Set<Listener>();

/**
 * Calls `listener` when files have changed in the index, when an indexing run has parsed or removed files, and after a lost
 * connection, since changes may have been missed. Returns a function that stops listening.
 */
export function onIndexChange(listener: Listener): Stop {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Returns a number that changes whenever the index has changed. */
export function useIndexVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => onIndexChange(() => setVersion((before) => before + 1)), []);
  return version;
}

function notify(paths: readonly string[] | null): void {
  for (const listener of listeners) listener(paths);
}

interface Run {
  before: IndexingState['phase'] | null;
  /** True if the repository could not be read at some time since the index was last current. */
  failed: boolean;
}

/** Returns true if this state ends a run that may have changed the index. */
function endsInChange(
  { phase, report }: Pick<IndexingState, 'phase' | 'report'>,
  { before, failed }: Run,
): boolean {
  if (phase !== 'current' || before === 'current') return false;
  // After a failure, the folder may contain a different repository.
  return failed || (report?.filesParsed ?? 0) + (report?.filesRemoved ?? 0) > 0;
}

const UNKNOWN: Run = { before: null, failed: false };

/** Follows the engine's events, and calls the listeners of `onIndexChange`. */
export function followIndex(): Stop {
  let run = UNKNOWN;
  let welcomed = false;
  return stopAll(
    engine.on('indexing', ({ repository, state }) => {
      if (repository !== useApp.getState().repository?.id) return;
      const { phase } = state;
      const changed = endsInChange(state, run);
      run = { before: phase, failed: phase === 'failed' || (run.failed && phase !== 'current') };
      if (changed) notify(null);
    }),
    onRepositoryChange(() => {
      run = UNKNOWN;
    }),
    engine.on('updated', ({ repository, update }) => {
      const { repository: open, members } = useApp.getState();
      const paths = [...update.changed, ...update.removed];
      if (repository === open?.id) return notify(paths);
      // In a workspace, each repository reports its own changes, with paths relative to itself.
      const member = members?.find(({ id }) => id === repository);
      if (member) notify(paths.map((path) => `${member.name}/${path}`));
    }),
    engine.on('welcome', ({ failure }) => {
      if (welcomed && !failure) notify(null);
      welcomed = true;
    }),
  );
}
