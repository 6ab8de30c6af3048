import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  initialState,
  runOf,
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

/** A response with these results; `reading` for an initial ranking. */
function response(
  state: SearchResponse['refined']['state'],
  ...addresses: string[]
): SearchResponse {
  return {
    refined: { state, read: state === 'refined' ? addresses.length : 0, of: addresses.length },
    results: ranking(...addresses),
  } as unknown as SearchResponse;
}

const INITIAL = response('reading', 'a.py::first', 'a.py::second');
const RERANKED = response('refined', 'a.py::second', 'a.py::first');

const started = (id: string, issue = ISSUE): SearchEvent => ({
  type: 'searchStarted',
  run: { id, request: { issue } },
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

/** The first result on the screen, the selection, and the phase. */
function shown({ search, selection }: SearchState) {
  const first = search.list?.response.results[0]?.name ?? null;
  return [search.phase, first, selection?.address.split('::')[1] ?? null];
}

const RERANKING = [loaded(ISSUE), started('1'), initialRanked('1')];
const FINISHED = [...RERANKING, answered('1')];

describe('a search', () => {
  it('shows the initial ranking, then the reranked list, and selects the best of each', () => {
    assert.deepEqual(shown(after(loaded(ISSUE), started('1'))), ['ranking', null, null]);
    assert.deepEqual(shown(after(...RERANKING)), ['reranking', 'first', 'first']);
    const state = after(...FINISHED);
    assert.deepEqual(shown(state), ['idle', 'second', 'second']);
    assert.equal(state.moves, 1);
  });

  it('shows an answer without an initial ranking, and moves no row', () => {
    const state = after(loaded(ISSUE), started('1'), answered('1'));
    assert.deepEqual(shown(state), ['idle', 'second', 'second']);
    assert.equal(state.moves, 0);
  });

  it('keeps the initial ranking when it was not reranked', () => {
    const state = after(...RERANKING, answered('1', response('nothing', 'a.py::first')));
    assert.deepEqual(shown(state), ['idle', 'first', 'first']);
    assert.equal(state.moves, 0);
  });

  it('keeps what the user chose in both lists', () => {
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
    const applied = transition(waiting, { type: 'rerankedApplied' });
    assert.deepEqual(shown(applied), ['idle', 'second', 'first']);
    assert.equal(applied.moves, 1);
  });

  it('is dropped when it waits and another search starts', () => {
    const state = after(...RERANKING, pointer(true), answered('1'), started('2'));
    assert.deepEqual(shown(transition(state, pointer(false))), ['ranking', 'first', 'first']);
  });

  it('stays for the next one of the same issue, and gives way when that takes too long', () => {
    const holding = after(...FINISHED, started('2'), initialRanked('2'));
    assert.deepEqual(shown(holding), ['holding', 'second', 'second']);
    const next = response('refined', 'a.py::third');
    assert.deepEqual(shown(transition(holding, answered('2', next))), ['idle', 'third', 'third']);
    const late = transition(holding, { type: 'holdEnded', run: '2' });
    assert.deepEqual(shown(late), ['reranking', 'first', 'first']);
  });

  it('does not stay for another issue', () => {
    const state = after(...FINISHED, started('2', 'Another'), initialRanked('2'));
    assert.deepEqual(shown(state), ['reranking', 'first', 'first']);
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

  it('are told by their run: the same events change the state of their own', () => {
    const ranking = after(loaded(ISSUE), started('1'));
    for (const event of STALE.slice(0, 4)) assert.notEqual(transition(ranking, event), ranking);
  });

  it('include the search for another text, when the issue of the list comes back', () => {
    const away = after(...FINISHED, edited('Another'), started('2', 'Another'));
    const back = transition(away, loaded(ISSUE));
    assert.deepEqual(shown(transition(back, answered('2'))), ['idle', 'second', 'second']);
  });
});

describe('failures and cancellation', () => {
  it('keep the list; a failure is told until the next answer', () => {
    const failed = after(...RERANKING, { type: 'failed', run: '1', failure: FAILURE });
    assert.deepEqual(shown(failed), ['idle', 'first', 'first']);
    const again = [failed, transition(failed, started('2'))];
    for (const { search } of again) {
      assert.deepEqual('failure' in search ? search.failure : null, FAILURE);
    }
    const { search } = [started('2'), answered('2')].reduce(transition, failed);
    assert.ok(search.phase === 'idle' && search.failure === null);
  });

  it('tell nothing of a search that was cancelled', () => {
    const { search } = after(loaded(ISSUE), started('1'), { type: 'cancelled', run: '1' });
    assert.deepEqual(search, { phase: 'idle', list: null, failure: null });
  });
});

describe('the issue', () => {
  it('is searched for after typing pauses, or at once when it was loaded', () => {
    assert.deepEqual(after(edited(ISSUE)).due, { afterMs: 400 });
    assert.deepEqual(after(loaded(ISSUE)).due, { afterMs: 0 });
    assert.equal(after(loaded(ISSUE), started('1')).due, null);
  });

  it('keeps its search while it is typed further, and drops it when it is replaced', () => {
    assert.equal(runOf(after(...RERANKING, edited(`${ISSUE}!`)))?.id, '1');
    const pasted = after(
      ...RERANKING,
      chosen('a.py::first'),
      edited('Another', { isReplacement: true, id: 'new' }),
    );
    assert.equal(runOf(pasted), null);
    assert.deepEqual(pasted.selection, { address: 'a.py::first', isChosen: false });
    assert.deepEqual([pasted.issue.id, pasted.issue.source], ['new', null]);
  });

  it('needs no other search when it comes back with its list', () => {
    const back = after(...FINISHED, chosen('a.py::first'), loaded(ISSUE, 'again'));
    assert.equal(back.due, null);
    assert.equal(back.selection?.isChosen, true);
    assert.equal(back.issue.id, 'again');
  });

  for (const text of ['', '  \n', LINK]) {
    it(`has no list when there is nothing to search with: ${JSON.stringify(text)}`, () => {
      for (const event of [loaded(text), edited(text)]) {
        const state = after(...RERANKING, { type: 'searchDue', afterMs: 0 }, event);
        assert.deepEqual(shown(state), ['idle', null, null]);
        assert.equal(state.due, null);
      }
    });
  }

  it('takes the id that the history knows it by, unless another issue came in between', () => {
    const saved: SearchEvent = { type: 'issueSaved', id: 'mine', savedAs: 'earlier' };
    assert.equal(after(loaded(ISSUE, 'mine'), saved).issue.id, 'earlier');
    assert.equal(after(loaded(ISSUE, 'other'), saved).issue.id, 'other');
  });

  it('has the line ends that the editor counts', () => {
    assert.equal(after(loaded('a\r\nb\rc')).issue.text, 'a\nb\nc');
  });
});

describe('a list that comes back', () => {
  const { list } = after(...FINISHED).search;
  const restored = (indexChanges: number): SearchEvent => {
    assert.ok(list);
    return { type: 'listRestored', list, indexChanges };
  };

  it('is shown as it was, in place of what runs', () => {
    const state = after(loaded('Another'), started('2', 'Another'), loaded(ISSUE), restored(0));
    assert.deepEqual(shown(state), ['idle', 'second', null]);
    assert.equal(state.due, null);
  });

  it('is searched for again if the index has changed since', () => {
    const changed: SearchEvent = { type: 'indexChanged' };
    assert.deepEqual(after(changed, restored(0)).due, { afterMs: 0 });
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
    { type: 'searchDue', afterMs: 0 },
    ...['1', '2'].flatMap((run): SearchEvent[] => [
      started(run),
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
    { type: 'rerankedApplied' },
    { type: 'indexChanged' },
  ];

  /** Tells states apart, but for counters that only grow. */
  function makeKey({ search, selection, issue, due, isPointed }: SearchState): string {
    const { list } = search;
    return [
      search.phase,
      'run' in search ? `${search.run.id} ${search.run.request.issue}` : '',
      'failure' in search && search.failure ? 'failed' : '',
      list ? `${list.issue} ${list.response.refined.state} ${list.isOpened}` : '',
      selection ? `${selection.address} ${selection.isChosen}` : '',
      `${issue.id} ${issue.text}`,
      due?.afterMs,
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

  it('reaches every phase, and every event matters somewhere', () => {
    const useful = new Set<string>();
    for (const { before, event, now } of transitions) if (now !== before) useful.add(event.type);
    const phases = new Set(Array.from(states.values(), ({ search }) => search.phase));
    assert.deepEqual([...phases].sort(), ['holding', 'idle', 'ranking', 'ready', 'reranking']);
    assert.deepEqual([...useful].sort(), [...new Set(EVENTS.map(({ type }) => type))].sort());
    assert.ok(states.size > 200, `${states.size} states`);
  });

  it('never moves rows under the pointer or after one was opened, unless the user asks', () => {
    const moved = transitions.filter(({ before, now }) => now.moves !== before.moves);
    assert.ok(moved.length > 0);
    for (const { before, event, now } of moved) {
      if (event.type === 'rerankedApplied') continue;
      assert.equal(now.isPointed, false);
      assert.equal(before.search.list?.isOpened, false);
    }
  });

  it('never changes what the user chose, but for another issue or repository', () => {
    const MAY = new Set(['selected', 'cleared', 'issueEdited', 'issueLoaded']);
    const others = transitions.filter(
      ({ before, event }) => before.selection?.isChosen && !MAY.has(event.type),
    );
    assert.ok(others.length > 0);
    for (const { before, event, now } of others) {
      assert.equal(now.selection, before.selection, event.type);
    }
  });

  it('never shows a list beside a link or an empty text', () => {
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
