import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { SearchResponse } from '../../../shared/search.ts';
import { LatestRequest, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { getRun, type SearchEvent, type SearchRun, type SearchState } from './machine.ts';

/** Time that a reranked list stays on the screen while the same issue is searched again, so that no initial ranking flashes up. */
export const HOLD_MS = 500;

/** Functions of a window that a search needs. */
export interface SearchHost {
  subscribe(listener: (now: SearchState, before: SearchState) => void): Stop;
  dispatch(event: SearchEvent): void;
  /** Starts a search at once, with the window's current issue and filters. See `SearchRun.isUpdate`. */
  searchNow(isUpdate: boolean): void;
  /** Sends a search to the engine. Its initial ranking and its progress arrive as events before the answer. */
  ask(run: SearchRun, signal: AbortSignal): Promise<SearchResponse>;
}

/** Runs the side effects of a search's states: a request for each run, a timer for a due search, and a timer for a held list. */
export function driveSearch({ subscribe, dispatch, searchNow, ask }: SearchHost): Stop {
  const due = new Timer();
  const hold = new Timer();
  const request = new LatestRequest();

  async function follow(run: SearchRun): Promise<void> {
    const signal = request.begin();
    try {
      const response = await ask(run, signal);
      dispatch({ type: 'answered', run: run.id, response });
    } catch (error) {
      dispatch(
        isCancelled(error)
          ? { type: 'cancelled', run: run.id }
          : { type: 'failed', run: run.id, failure: error as Failure },
      );
    }
  }

  const unsubscribe = subscribe((now, before) => {
    if (now.due !== before.due) {
      due.clear();
      if (now.due) {
        const { afterMs, isUpdate } = now.due;
        due.set(() => searchNow(isUpdate), afterMs);
      }
    }
    if (now.search.phase !== before.search.phase || getRun(now) !== getRun(before)) {
      hold.clear();
      if (now.search.phase === 'holding') {
        const run = now.search.run.id;
        hold.set(() => dispatch({ type: 'holdEnded', run }), HOLD_MS);
      }
    }
    const run = getRun(now);
    if (run === getRun(before)) return;
    if (run) void follow(run);
    else request.cancel();
  });
  return stopAll(
    () => due.clear(),
    () => hold.clear(),
    () => request.cancel(),
    unsubscribe,
  );
}
