import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type MockTimers, mock } from 'node:test';
import { driveSearch, HOLD_MS } from '../../src/renderer/features/search/driver.ts';
import {
  initialState,
  type SearchEvent,
  type SearchRun,
  type SearchState,
  transition,
} from '../../src/renderer/features/search/machine.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { ranking } from './support.ts';

const response = (state: 'reranking' | 'reranked', ...addresses: string[]) =>
  ({ reranking: { state }, results: ranking(...addresses) }) as unknown as SearchResponse;

/** A request without an answer yet. */
interface Asked {
  run: SearchRun;
  signal: AbortSignal;
  onInitial: (response: SearchResponse) => void;
  answer: (response: SearchResponse) => void;
  fail: (error: unknown) => void;
}

/** A window with an engine whose answers the test controls. */
function makeWindow() {
  let state = initialState('issue');
  let listener: ((now: SearchState, before: SearchState) => void) | null = null;
  const asked: Asked[] = [];
  const dispatch = (event: SearchEvent): void => {
    const before = state;
    state = transition(before, event);
    if (state !== before) listener?.(state, before);
  };
  const stop = driveSearch({
    dispatch,
    subscribe(follow) {
      listener = follow;
      return () => {
        listener = null;
      };
    },
    searchNow: (isUpdate) => {
      const run = { id: `${asked.length + 1}`, request: { issue: state.issue.text }, isUpdate };
      dispatch({ type: 'searchStarted', run });
    },
    ask: (run, signal) =>
      new Promise((answer, fail) => {
        const onInitial = (response: SearchResponse) =>
          dispatch({ type: 'initialRanked', run: run.id, response });
        asked.push({ run, onInitial, signal, answer, fail });
        signal.addEventListener('abort', () => fail({ code: 'cancelled' }));
      }),
  });
  return {
    asked,
    dispatch,
    stop,
    get state() {
      return state;
    },
    get isFollowed() {
      return listener !== null;
    },
    load: (text: string) =>
      dispatch({ type: 'issueLoaded', issue: { id: text, text, source: null } }),
  };
}

const settled = () => new Promise<void>((done) => setImmediate(done));

describe('the search driver', () => {
  let timers: MockTimers;
  beforeEach(() => {
    timers = mock.timers;
    timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => timers.reset());

  it('searches once after several edits, when typing pauses', () => {
    const window = makeWindow();
    for (const text of ['T', 'To', 'Tot']) {
      window.dispatch({ type: 'issueEdited', text, isReplacement: false, id: null });
      timers.tick(399);
    }
    assert.equal(window.asked.length, 0);
    timers.tick(1);
    assert.deepEqual(
      window.asked.map(({ run }) => run.request.issue),
      ['Tot'],
    );
  });

  it('cancels a search that is replaced, and shows the newest answer', async () => {
    const window = makeWindow();
    window.load('one');
    timers.tick(0);
    window.load('two');
    timers.tick(0);
    const [first, second] = window.asked;
    assert.ok(first && second);
    assert.equal(first.signal.aborted, true);
    assert.equal(second.signal.aborted, false);
    second.onInitial(response('reranking', 'a.py::two'));
    first.onInitial(response('reranking', 'a.py::one'));
    second.answer(response('reranked', 'a.py::two'));
    await settled();
    assert.equal(window.state.search.phase, 'idle');
    assert.equal(window.state.selection?.address, 'a.py::two');
  });

  it('cancels reranking when the repository is closed', async () => {
    const window = makeWindow();
    window.load('one');
    timers.tick(0);
    const [only] = window.asked;
    assert.ok(only);
    only.onInitial(response('reranking', 'a.py::one'));
    assert.equal(window.state.search.phase, 'reranking');
    window.dispatch({ type: 'cleared' });
    assert.equal(only.signal.aborted, true);
    await settled();
    assert.deepEqual(window.state.search, { phase: 'idle', list: null, failure: null });
  });

  it('reports failures, but not cancelled requests', async () => {
    const window = makeWindow();
    const failure = { code: 'internal', message: 'It failed.', remedy: 'Try again.' };
    for (const [error, told] of [
      [failure, failure],
      [{ code: 'cancelled' }, failure],
    ]) {
      window.dispatch({ type: 'searchDue', afterMs: 0, isUpdate: false });
      timers.tick(0);
      window.asked.at(-1)?.fail(error);
      await settled();
      assert.deepEqual(window.state.search, { phase: 'idle', list: null, failure: told });
    }
  });

  it('shows the initial ranking if the next reranked list takes too long', async () => {
    const window = makeWindow();
    window.load('one');
    timers.tick(0);
    window.asked[0]?.answer(response('reranked', 'a.py::one'));
    await settled();
    window.dispatch({ type: 'searchDue', afterMs: 0, isUpdate: false });
    timers.tick(0);
    window.asked[1]?.onInitial(response('reranking', 'a.py::two'));
    timers.tick(HOLD_MS - 1);
    assert.equal(window.state.search.phase, 'holding');
    timers.tick(1);
    assert.equal(window.state.search.phase, 'reranking');
  });

  it('stops timers and requests when it is stopped', () => {
    const window = makeWindow();
    window.load('one');
    timers.tick(0);
    window.dispatch({ type: 'searchDue', afterMs: 10, isUpdate: false });
    window.stop();
    timers.tick(10);
    assert.equal(window.asked.length, 1);
    assert.equal(window.asked[0]?.signal.aborted, true);
    assert.equal(window.isFollowed, false);
  });
});
