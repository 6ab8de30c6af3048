import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  getRun,
  initialState,
  type SearchEvent,
  type SearchState,
  transition,
} from '../../src/renderer/features/search/machine.ts';
import type { Failure } from '../../src/shared/errors.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { ranking } from './support.ts';

const ISSUE = 'The total forgets the tax';
const LINK = 'https://github.com/acme/shop/issues/7';
const FAILURE: Failure = { code: 'unexpected', message: 'It failed.', remedy: 'Try again.' };

/** A response with these results; `reranking` for an initial ranking. */
function response(
  state: SearchResponse['reranking']['state'],
  ...addresses: string[]
): SearchResponse {
  return {
    reranking: { state, count: state === 'reranked' ? addresses.length : 0, of: addresses.length },
    results: ranking(...addresses),
  } as unknown as SearchResponse;
}

const INITIAL = response('reranking', 'a.py::first', 'a.py::second');
const RERANKED = response('reranked', 'a.py::second', 'a.py::first');

const started = (id: string, issue = ISSUE): SearchEvent => ({
  type: 'searchStarted',
  run: { id, request: { issue }, isUpdate: false },
});
/** Starts a search because the index or the marks changed. */
const updating = (id: string): SearchEvent => ({
  type: 'searchStarted',
  run: { id, request: { issue: ISSUE }, isUpdate: true },
});
const initialRanked = (run: string, given = INITIAL): SearchEvent => ({
  type: 'initialRanked',
  run,
  response: given,
});
const answered = (run: string, given = RERANKED): SearchEvent => ({
  type: 'answered',
  run,
  response: given,
});
const loaded = (text: string, id = 'loaded'): SearchEvent => ({
  type: 'issueLoaded',
  issue: { id, text, source: null },
});
const edited = (
  text: string,
  more: { isReplacement?: boolean; id?: string } = {},
): SearchEvent => ({
  type: 'issueEdited',
  text,
  isReplacement: more.isReplacement ?? false,
  id: more.id ?? null,
});
const chosen = (address: string): SearchEvent => ({ type: 'selected', address });
const pointer = (isPointed: boolean): SearchEvent => ({ type: 'pointerMoved', isPointed });

const after = (...events: SearchEvent[]): SearchState =>
  events.reduce(transition, initialState('first'));

/** Returns the phase, the first result on the screen, and the selection. */
function shown({ search, selection }: SearchState) {
  const first = search.list?.response.results[0]?.name ?? null;
  return [search.phase, first, selection?.address.split('::')[1] ?? null];
}

const RERANKING = [loaded(ISSUE), started('1'), initialRanked('1')];
const FINISHED = [...RERANKING, answered('1')];

describe('a search', () => {
  it('shows the initial ranking, then the reranked list, and selects the best result of each', () => {
    assert.deepEqual(shown(after(loaded(ISSUE), started('1'))), ['ranking', null, null]);
    assert.deepEqual(shown(after(...RERANKING)), ['reranking', 'first', 'first']);
    const state = after(...FINISHED);
    assert.deepEqual(shown(state), ['idle', 'second', 'second']);
    assert.equal(state.moves, 1);
  });

  it('shows an answer without an initial ranking, and moves no rows', () => {
    const state = after(loaded(ISSUE), started('1'), answered('1'));
    assert.deepEqual(shown(state), ['idle', 'second', 'second']);
    assert.equal(state.moves, 0);
  });

  it('keeps the initial ranking if it is not reranked', () => {
    const state = after(...RERANKING, answered('1', response('nothing', 'a.py::first')));
    assert.deepEqual(shown(state), ['idle', 'first', 'first']);
    assert.equal(state.moves, 0);
  });

  it('keeps the user’s selection in both lists', () => {
    const state = after(loaded(ISSUE), chosen('b.py::other'), started('1'), initialRanked('1'));
    assert.deepEqual(shown(state), ['reranking', 'first', 'other']);
    assert.deepEqual(shown(transition(state, answered('1'))), ['idle', 'second', 'other']);
  });

  it('selects nothing in an empty list', () => {
    assert.equal(after(...FINISHED, started('2'), answered('2', response('off'))).selection, null);
  });
});

describe('a reranked list', () => {
  it('waits while the pointer is on the list, and is applied when it leaves', () => {
    const waiting = after(...RERANKING, pointer(true), answered('1'));
    assert.deepEqual(shown(waiting), ['ready', 'first', 'first']);
    assert.deepEqual(shown(transition(waiting, pointer(true))), ['ready', 'first', 'first']);
    assert.deepEqual(shown(transition(waiting, pointer(false))), ['idle', 'second', 'second']);
  });

  it('waits once a row was opened, until the user applies it', () => {
    const waiting = after(...RERANKING, chosen('a.py::first'), answered('1'));
    assert.deepEqual(shown(waiting), ['ready', 'first', 'first']);
    assert.deepEqual(shown(transition(waiting, pointer(false))), ['ready', 'first', 'first']);
    const applied = transition(waiting, { type: 'orderApplied' });
    assert.deepEqual(shown(applied), ['idle', 'second', 'first']);
    assert.equal(applied.moves, 1);
  });

  it('is dropped while waiting if another search starts', () => {
    const state = after(...RERANKING, pointer(true), answered('1'), started('2'));
    assert.deepEqual(shown(transition(state, pointer(false))), ['ranking', 'first', 'first']);
  });

  it('stays until the next list of the same issue, or until that takes too long', () => {
    const holding = after(...FINISHED, started('2'), initialRanked('2'));
    assert.deepEqual(shown(holding), ['holding', 'second', 'second']);
    const next = response('reranked', 'a.py::third');
    assert.deepEqual(shown(transition(holding, answered('2', next))), ['idle', 'third', 'third']);
    const late = transition(holding, { type: 'holdEnded', run: '2' });
    assert.deepEqual(shown(late), ['reranking', 'first', 'first']);
  });

  it('does not stay for another issue', () => {
    const state = after(...FINISHED, started('2', 'Another'), initialRanked('2'));
    assert.deepEqual(shown(state), ['reranking', 'first', 'first']);
  });
});

describe('an update of the list', () => {
  const OTHER = response('reranked', 'a.py::first', 'a.py::second');

  it('moves rows at once if nobody works with them, without an initial ranking in between', () => {
    const waiting = after(...FINISHED, updating('2'), initialRanked('2'));
    assert.deepEqual(shown(waiting), ['ranking', 'second', 'second']);
    const state = transition(waiting, answered('2', OTHER));
    assert.deepEqual([...shown(state), state.moves], ['idle', 'first', 'first', 2]);
  });

  for (const [what, event] of Object.entries({
    'the pointer is on the list': pointer(true),
    'a row was opened': chosen('a.py::second'),
    'a row was marked': { type: 'rowMarked' },
  } satisfies Record<string, SearchEvent>))
    it(`waits if ${what}, also while it is reranked`, () => {
      const state = after(...FINISHED, event, updating('2'), initialRanked('2', OTHER));
      assert.equal(shown(state)[1], 'second');
      const ready = transition(state, answered('2', OTHER));
      assert.deepEqual(shown(ready).slice(0, 2), ['ready', 'second']);
      assert.equal(shown(transition(ready, { type: 'orderApplied' }))[1], 'first');
    });

  it('shows what is new about the functions in the order that stays', () => {
    const [first, second] = OTHER.results;
    assert.ok(first && second);
    const next = {
      ...OTHER,
      results: [
        { ...first, rank: 1 },
        { ...second, rank: 2, startLine: 9 },
      ],
    };
    const { search } = after(
      ...FINISHED,
      { type: 'rowMarked' },
      updating('2'),
      answered('2', next),
    );
    assert.deepEqual(
      search.list?.response.results.map(({ name, rank, startLine }) => [name, rank, startLine]),
      [
        ['second', RERANKED.results[0]?.rank, 9],
        ['first', RERANKED.results[1]?.rank, first.startLine],
      ],
    );
  });

  it('moves rows when it arrives if the user asked for the new order before', () => {
    const asked = after(...FINISHED, pointer(true), { type: 'rowMarked' }, updating('2'), {
      type: 'orderApplied',
    });
    assert.deepEqual(shown(transition(asked, answered('2', OTHER))), ['idle', 'first', 'first']);
  });

  it('is shown at once if the order stays', () => {
    const same = response('reranked', 'a.py::second', 'a.py::first');
    const state = after(...FINISHED, chosen('a.py::first'), updating('2'), answered('2', same));
    assert.equal(state.search.phase, 'idle');
    assert.equal(state.search.list?.response, same);
    assert.equal(state.search.list?.isUsed, true);
  });

  it('does not delay a list that the user waits for', () => {
    const state = after(...FINISHED, chosen('a.py::first'), started('2'), updating('3'));
    assert.deepEqual(shown(transition(state, answered('3', OTHER))), ['idle', 'first', 'first']);
    const due = after(edited(ISSUE), { type: 'indexChanged' }).due;
    assert.deepEqual(due, { afterMs: 0, isUpdate: false });
  });
});

describe('stale answers', () => {
  const STALE: SearchEvent[] = [
    initialRanked('1'),
    answered('1'),
    { type: 'failed', run: '1', failure: FAILURE },
    { type: 'cancelled', run: '1' },
    { type: 'holdEnded', run: '1' },
  ];
  const SITUATIONS: Record<string, SearchState> = {
    'a newer search': after(...RERANKING, started('2')),
    'the repository was closed': after(...RERANKING, { type: 'cleared' }),
    'another issue was loaded': after(...RERANKING, loaded('Another')),
    'another issue was pasted': after(...RERANKING, edited('Another', { isReplacement: true })),
    'it was cancelled': after(...RERANKING, { type: 'cancelled', run: '1' }),
    'its answer is here already': after(...FINISHED),
  };
  for (const [what, state] of Object.entries(SITUATIONS)) {
    it(`change nothing after this: ${what}`, () => {
      for (const event of STALE) assert.equal(transition(state, event), state, event.type);
    });
  }

  it('are recognized by their run: the same events change the state of their own run', () => {
    const ranking = after(loaded(ISSUE), started('1'));
    for (const event of STALE.slice(0, 4)) assert.notEqual(transition(ranking, event), ranking);
  });

  it('include a search for another text, if the issue of the list is loaded again', () => {
    const away = after(...FINISHED, edited('Another'), started('2', 'Another'));
    const back = transition(away, loaded(ISSUE));
    assert.deepEqual(shown(transition(back, answered('2'))), ['idle', 'second', 'second']);
  });
});

describe('failures and cancellation', () => {
  it('keep the list; a failure is shown until the next answer', () => {
    const failed = after(...RERANKING, { type: 'failed', run: '1', failure: FAILURE });
    assert.deepEqual(shown(failed), ['idle', 'first', 'first']);
    const again = [failed, transition(failed, started('2'))];
    for (const { search } of again) {
      assert.deepEqual('failure' in search ? search.failure : null, FAILURE);
    }
    const { search } = [started('2'), answered('2')].reduce(transition, failed);
    assert.ok(search.phase === 'idle' && search.failure === null);
  });

  it('show no failure for a cancelled search', () => {
    const { search } = after(loaded(ISSUE), started('1'), { type: 'cancelled', run: '1' });
    assert.deepEqual(search, { phase: 'idle', list: null, failure: null });
  });
});

describe('the issue', () => {
  it('is searched for when typing pauses, or at once when it is loaded', () => {
    assert.deepEqual(after(edited(ISSUE)).due, { afterMs: 400, isUpdate: false });
    assert.deepEqual(after(loaded(ISSUE)).due, { afterMs: 0, isUpdate: false });
    assert.equal(after(loaded(ISSUE), started('1')).due, null);
  });

  it('keeps its search during further typing, and drops it when the text is replaced', () => {
    assert.equal(getRun(after(...RERANKING, edited(`${ISSUE}!`)))?.id, '1');
    const pasted = after(
      ...RERANKING,
      chosen('a.py::first'),
      edited('Another', { isReplacement: true, id: 'new' }),
    );
    assert.equal(getRun(pasted), null);
    assert.deepEqual(pasted.selection, { address: 'a.py::first', isChosen: false });
    assert.deepEqual([pasted.issue.id, pasted.issue.source], ['new', null]);
  });

  it('needs no search when it is loaded again with its list', () => {
    const back = after(...FINISHED, chosen('a.py::first'), loaded(ISSUE, 'again'));
    assert.equal(back.due, null);
    assert.equal(back.selection?.isChosen, true);
    assert.equal(back.issue.id, 'again');
  });

  for (const text of ['', '  \n', LINK]) {
    it(`has no list if there is nothing to search for: ${JSON.stringify(text)}`, () => {
      for (const event of [loaded(text), edited(text)]) {
        const state = after(
          ...RERANKING,
          { type: 'searchDue', afterMs: 0, isUpdate: false },
          event,
        );
        assert.deepEqual(shown(state), ['idle', null, null]);
        assert.equal(state.due, null);
      }
    });
  }

  it('takes its id from the history, unless another issue was loaded meanwhile', () => {
    const saved: SearchEvent = { type: 'issueSaved', id: 'mine', savedAs: 'earlier' };
    assert.equal(after(loaded(ISSUE, 'mine'), saved).issue.id, 'earlier');
    assert.equal(after(loaded(ISSUE, 'other'), saved).issue.id, 'other');
  });

  it('has normalized line endings, as in the editor', () => {
    assert.equal(after(loaded('a\r\nb\rc')).issue.text, 'a\nb\nc');
  });
});

describe('a restored list', () => {
  const { list } = after(...FINISHED).search;
  const restored = (indexChanges: number): SearchEvent => {
    assert.ok(list);
    return { type: 'listRestored', list, indexChanges };
  };

  it('is shown unchanged, and cancels a search in progress', () => {
    const state = after(loaded('Another'), started('2', 'Another'), loaded(ISSUE), restored(0));
    assert.deepEqual(shown(state), ['idle', 'second', null]);
    assert.equal(state.due, null);
  });

  it('is searched for again if the index has changed since then', () => {
    const changed: SearchEvent = { type: 'indexChanged' };
    assert.deepEqual(after(changed, restored(0)).due, { afterMs: 0, isUpdate: true });
    assert.equal(after(changed, restored(1)).due, null);
  });
});

describe('every sequence of events', () => {
  const EVENTS: SearchEvent[] = [
    edited(ISSUE),
    edited('Another', { isReplacement: true, id: 'new' }),
    edited(LINK),
    loaded(ISSUE),
    loaded(''),
    { type: 'issueSaved', id: 'new', savedAs: 'earlier' },
    { type: 'searchDue', afterMs: 0, isUpdate: false },
    ...['1', '2'].flatMap((run): SearchEvent[] => [
      started(run),
      updating(run),
      initialRanked(run),
      { type: 'holdEnded', run },
      answered(run),
      answered(run, response('nothing', 'a.py::first')),
      { type: 'failed', run, failure: FAILURE },
      { type: 'cancelled', run },
    ]),
    { type: 'cleared' },
    chosen('a.py::second'),
    pointer(true),
    pointer(false),
    { type: 'orderApplied' },
    { type: 'rowMarked' },
    { type: 'indexChanged' },
  ];

  /** Returns a key that identifies a state, without counters that only grow. */
  function makeKey({ search, selection, issue, due, isPointed }: SearchState): string {
    const { list } = search;
    return [
      search.phase,
      'run' in search ? `${search.run.id} ${search.run.request.issue} ${search.run.isUpdate}` : '',
      'failure' in search && search.failure ? 'failed' : '',
      list ? `${list.issue} ${list.response.reranking.state} ${list.isUsed}` : '',
      selection ? `${selection.address} ${selection.isChosen}` : '',
      `${issue.id} ${issue.text}`,
      `${due?.afterMs} ${due?.isUpdate}`,
      isPointed,
    ].join('|');
  }

  const states = new Map([[makeKey(after()), after()]]);
  const transitions: { before: SearchState; event: SearchEvent; now: SearchState }[] = [];
  for (const before of states.values()) {
    for (const event of EVENTS) {
      const now = transition(before, event);
      transitions.push({ before, event, now });
      if (!states.has(makeKey(now))) states.set(makeKey(now), now);
    }
  }

  it('reaches every phase, and every event has an effect in some state', () => {
    const useful = new Set<string>();
    for (const { before, event, now } of transitions) if (now !== before) useful.add(event.type);
    const phases = new Set(Array.from(states.values(), ({ search }) => search.phase));
    assert.deepEqual([...phases].sort(), ['holding', 'idle', 'ranking', 'ready', 'reranking']);
    assert.deepEqual([...useful].sort(), [...new Set(EVENTS.map(({ type }) => type))].sort());
    assert.ok(states.size > 200, `${states.size} states`);
  });

  it('never moves rows under the pointer or after one was opened, except on the user’s command', () => {
    const moved = transitions.filter(({ before, now }) => now.moves !== before.moves);
    assert.ok(moved.length > 0);
    for (const { before, event, now } of moved) {
      if (event.type === 'orderApplied') continue;
      assert.equal(now.isPointed, false);
      assert.equal(before.search.list?.isUsed, false);
    }
  });

  it('never changes the user’s selection, except for another issue or repository', () => {
    const MAY = new Set(['selected', 'cleared', 'issueEdited', 'issueLoaded']);
    const others = transitions.filter(
      ({ before, event }) => before.selection?.isChosen && !MAY.has(event.type),
    );
    assert.ok(others.length > 0);
    for (const { before, event, now } of others) {
      assert.equal(now.selection, before.selection, event.type);
    }
  });

  it('never shows a list for an issue URL or an empty text', () => {
    const bare = transitions.filter(
      ({ before, now: { issue } }) =>
        issue.text !== before.issue.text && (issue.text === LINK || issue.text === ''),
    );
    assert.ok(bare.length > 0);
    for (const { event, now } of bare) {
      assert.equal(now.search.list, null, event.type);
      assert.equal(now.selection, null, event.type);
    }
  });
});
