/** When the index of what is open says something else than before. */
import { useEffect, useState } from 'react';
import type { IndexingState } from '../../shared/indexing.ts';
import { engine } from './client.ts';
import { type Stop, stopAll } from './lifetime.ts';
import { onRepositoryChange, useApp } from './state.ts';

/** `paths`: the files that have changed or are gone; null where that is not known, and it may be any. */
type Listener = (paths: readonly string[] | null) => void;

const listeners = new Set<Listener>();

/**
 * Calls back when files have changed in the index; when a run of indexing is done that has read or dropped some, as after
 * the folder was opened, resumed or back again; and after the connection was lost, since nobody told what changed
 * meanwhile. Returns what ends it.
 */
export function onIndexChange(listener: Listener): Stop {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Returns another number whenever the index has changed. */
export function useIndexVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => onIndexChange(() => setVersion((before) => before + 1)), []);
  return version;
}

function tell(paths: readonly string[] | null): void {
  for (const listener of listeners) listener(paths);
}

interface Run {
  before: IndexingState['phase'] | null;
  /** True if the repository could not be read since it was current. */
  failed: boolean;
}

/** Returns true if this state ends a run that may have changed the index. */
function endsInChange(
  { phase, report }: Pick<IndexingState, 'phase' | 'report'>,
  { before, failed }: Run,
): boolean {
  if (phase !== 'current' || before === 'current') return false;
  // What could not be read for a while may be another repository now.
  return failed || (report?.filesParsed ?? 0) + (report?.filesRemoved ?? 0) > 0;
}

const UNKNOWN: Run = { before: null, failed: false };

/** Follows the engine, and tells those who listen with `onIndexChange`. */
export function followIndex(): Stop {
  let run = UNKNOWN;
  let welcomed = false;
  return stopAll(
    engine.on('indexing', ({ repository, state }) => {
      if (repository !== useApp.getState().repository?.id) return;
      const { phase } = state;
      const changed = endsInChange(state, run);
      run = { before: phase, failed: phase === 'failed' || (run.failed && phase !== 'current') };
      if (changed) tell(null);
    }),
    onRepositoryChange(() => {
      run = UNKNOWN;
    }),
    engine.on('updated', ({ repository, update }) => {
      const { repository: open, members } = useApp.getState();
      const paths = [...update.changed, ...update.removed];
      if (repository === open?.id) return tell(paths);
      // In a workspace, each repository reports its own changes, with paths relative to itself.
      const member = members?.find(({ id }) => id === repository);
      if (member) tell(paths.map((path) => `${member.name}/${path}`));
    }),
    engine.on('welcome', ({ failure }) => {
      if (welcomed && !failure) tell(null);
      welcomed = true;
    }),
  );
}
