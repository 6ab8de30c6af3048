import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { SearchResponse } from '../../../shared/search.ts';
import { LatestRequest, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { type Run, runOf, type SearchEvent, type SearchState } from './machine.ts';

/** A reranked list stays this long for the next one of the same issue, rather than going back to an initial ranking between. */
export const HOLD_MS = 500;

/** The parts of a window that a search needs. */
export interface SearchHost {
  subscribe(listener: (now: SearchState, before: SearchState) => void): Stop;
  dispatch(event: SearchEvent): void;
  /** Searches at once, for whatever the window is about now. */
  searchNow(): void;
  /** Asks the engine. `onInitial` gets the initial ranking, if there is one before the answer. */
  ask(
    run: Run,
    onInitial: (response: SearchResponse) => void,
    signal: AbortSignal,
  ): Promise<SearchResponse>;
}

/** Does what each state of a search asks for: one request for its run, a timer for a search that is due or a list that is held. */
export function driveSearch({ subscribe, dispatch, searchNow, ask }: SearchHost): Stop {
  const due = new Timer();
  const hold = new Timer();
  const request = new LatestRequest();

  async function follow(run: Run): Promise<void> {
    const signal = request.begin();
    const onInitial = (response: SearchResponse) =>
      dispatch({ type: 'initialRanked', run: run.id, response });
    try {
      const response = await ask(run, onInitial, signal);
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
      if (now.due) due.set(searchNow, now.due.afterMs);
    }
    if (now.search.phase !== before.search.phase || runOf(now) !== runOf(before)) {
      hold.clear();
      if (now.search.phase === 'holding') {
        const run = now.search.run.id;
        hold.set(() => dispatch({ type: 'holdEnded', run }), HOLD_MS);
      }
    }
    const run = runOf(now);
    if (run === runOf(before)) return;
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
