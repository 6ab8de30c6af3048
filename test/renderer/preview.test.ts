import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outlineOf, wayTo } from '../../src/renderer/features/preview/around.ts';
import {
  bestInNextFile,
  candidatesIn,
  chunkAt,
  depthOf,
  heatOf,
  neighborInFile,
  ownLines,
} from '../../src/renderer/features/preview/candidates.ts';
import {
  arrivedAt,
  isPassed,
  left,
  NOWHERE,
  type Place,
} from '../../src/renderer/features/preview/places.ts';
import type { ShownSearch } from '../../src/renderer/features/search/search.ts';
import { chunk, ranking } from './support.ts';

const MODULE = chunk('a.py::<module>', { startLine: 1, endLine: 20 });
const CLASS = chunk('a.py::Cart', { kind: 'class', startLine: 3, endLine: 12 });
const FIRST = chunk('a.py::Cart.first', { kind: 'method', startLine: 5, endLine: 7 });
const SECOND = chunk('a.py::Cart.second', { kind: 'method', startLine: 9, endLine: 12 });
const CHUNKS = [MODULE, CLASS, FIRST, SECOND];

describe('lines of a file', () => {
  it('belong only to the innermost chunk', () => {
    assert.deepEqual(ownLines(FIRST, CHUNKS), [[5, 7]]);
    assert.deepEqual(ownLines(CLASS, CHUNKS), [
      [3, 4],
      [8, 8],
    ]);
    assert.deepEqual(ownLines(MODULE, CHUNKS), [
      [1, 2],
      [13, 20],
    ]);
  });

  it('have a depth of enclosing definitions', () => {
    assert.deepEqual(
      CHUNKS.map((one) => depthOf(one, CHUNKS)),
      [0, 0, 1, 1],
    );
  });

  it('have one innermost chunk; module code encloses all of them', () => {
    assert.equal(chunkAt(CHUNKS, 6), FIRST);
    assert.equal(chunkAt(CHUNKS, 4), CLASS);
    assert.equal(chunkAt(CHUNKS, 15), MODULE);
    assert.equal(chunkAt(CHUNKS, 30), null);
  });
});

describe('results in the preview', () => {
  const results = ranking(
    { address: 'a.py::low', startLine: 30, endLine: 31 },
    'b.py::g',
    { address: 'a.py::high', startLine: 2, endLine: 9 },
    'c.py::h',
  );

  it('are listed from top to bottom of a file', () => {
    assert.deepEqual(
      candidatesIn(results, 'a.py').map(({ rank }) => rank),
      [3, 1],
    );
  });

  it('are stepped through in a file with wrap-around, from the cursor if another chunk is selected', () => {
    const step = (selected: string, line: number, by: 1 | -1) =>
      neighborInFile(results, selected, line, by)?.address ?? null;
    assert.equal(step('a.py::high', 1, 1), 'a.py::low');
    assert.equal(step('a.py::low', 1, 1), 'a.py::high');
    assert.equal(step('a.py::other', 10, 1), 'a.py::low');
    assert.equal(step('a.py::other', 10, -1), 'a.py::high');
    assert.equal(step('a.py::other', 40, 1), 'a.py::high');
    assert.equal(step('a.py::other', 40, -1), 'a.py::low');
    assert.equal(step('b.py::g', 1, 1), null);
    assert.equal(step('z.py::f', 1, 1), null);
  });

  it('are stepped through by file in the order of best ranks, with wrap-around', () => {
    const next = (selected: string | null, by: 1 | -1) =>
      bestInNextFile(results, selected, by)?.address ?? null;
    assert.equal(next('a.py::high', 1), 'b.py::g');
    assert.equal(next('c.py::h', 1), 'a.py::low');
    assert.equal(next('a.py::low', -1), 'c.py::h');
    assert.equal(next(null, 1), 'a.py::low');
    assert.equal(next('z.py::f', -1), 'a.py::low');
    assert.equal(bestInNextFile([], null, 1), null);
  });

  it('are colored more strongly the better they rank', () => {
    assert.deepEqual([1, 3, 4, 10, 11, 30, 31].map(heatOf), [1, 1, 2, 2, 3, 3, 4]);
  });
});

describe('the navigation history', () => {
  const go = (...addresses: string[]) =>
    addresses.reduce(
      (places, address) =>
        arrivedAt(places, { address, search: null, picked: false }, { instead: false }),
      NOWHERE,
    );

  it('keeps entries in order', () => {
    const { places, at } = go('a', 'b');
    assert.deepEqual(
      places.map(({ address, line }) => [address, line]),
      [
        ['a', null],
        ['b', null],
      ],
    );
    assert.equal(at, 1);
  });

  it('drops later entries when a new one is added', () => {
    const { places, at } = arrivedAt(
      { ...go('a', 'b', 'c'), at: 0 },
      { address: 'd', search: null, picked: false },
      { instead: false },
    );
    assert.deepEqual(
      places.map(({ address }) => address),
      ['a', 'd'],
    );
    assert.equal(at, 1);
  });

  it('drops entries that were shown only briefly', () => {
    const { places } = arrivedAt(
      go('a', 'b'),
      { address: 'c', search: null, picked: false },
      { instead: true },
    );
    assert.deepEqual(
      places.map(({ address }) => address),
      ['a', 'c'],
    );
    assert.equal(
      arrivedAt(NOWHERE, { address: 'a', search: null, picked: false }, { instead: true }).places
        .length,
      1,
    );
  });

  it('treats results passed with held keys, and lists of an edited issue without a selection, as brief', () => {
    const search = (text: string, id = 1) => ({ issue: { id, text } }) as unknown as ShownSearch;
    const [here] = arrivedAt(
      NOWHERE,
      { address: 'a', search: search('one'), picked: false },
      { instead: false },
    ).places;
    const passed = (place: Place | undefined, now: ShownSearch, shownMs: number) =>
      isPassed(place, { search: now, isChosen: true, shownMs });
    assert.equal(passed(here, search('one'), 100), true);
    assert.equal(passed(here, search('one'), 1000), false);
    assert.equal(passed(here, search('two'), 1000), true);
    assert.equal(passed(here, search('two'), 6000), false);
    assert.equal(passed(here, search('two', 2), 1000), false);
    assert.equal(passed(here && { ...here, picked: true }, search('two'), 100), false);
  });

  it('remembers the line at which an entry was left', () => {
    const { places } = left(go('a', 'b'), { line: 7 });
    assert.deepEqual(
      places.map(({ line }) => line),
      [null, 7],
    );
    assert.deepEqual(left(NOWHERE, { line: 7 }), NOWHERE);
  });

  it('has at most 200 entries', () => {
    const { places, at } = go(...Array.from({ length: 250 }, (_, each) => `f${each}`));
    assert.equal(places.length, 200);
    assert.equal(at, 199);
    assert.equal(places.at(-1)?.address, 'f249');
  });
});

describe('definitions that enclose a line', () => {
  const chunks = CHUNKS.map((one) => ({ ...one, headerLine: one.startLine }));

  it('are listed outermost first', () => {
    assert.deepEqual(
      wayTo(chunks, 6).map(({ name }) => name),
      ['Cart', 'first'],
    );
    assert.deepEqual(wayTo(chunks, 15), []);
  });

  it('determine the depth in the outline', () => {
    assert.deepEqual(
      outlineOf(chunks).map(({ chunk: { name }, depth }) => [name, depth]),
      [
        ['Cart', 0],
        ['first', 1],
        ['second', 1],
      ],
    );
  });
});
