import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findBestInNextFile,
  findChunkAt,
  findNextInFile,
  getDepth,
  getHeat,
  listOwnLines,
  listResultsIn,
} from '../../src/renderer/features/preview/candidates.ts';
import {
  addEntry,
  EMPTY_HISTORY,
  type HistoryEntry,
  isTransient,
  updateEntry,
} from '../../src/renderer/features/preview/history-entries.ts';
import { buildOutline, listEnclosing } from '../../src/renderer/features/preview/nesting.ts';
import type { ShownSearch } from '../../src/renderer/features/search/search.ts';
import { chunk, ranking } from './support.ts';

const MODULE = chunk('a.py::<module>', { startLine: 1, endLine: 20 });
const CLASS = chunk('a.py::Cart', { kind: 'class', startLine: 3, endLine: 12 });
const FIRST = chunk('a.py::Cart.first', { kind: 'method', startLine: 5, endLine: 7 });
const SECOND = chunk('a.py::Cart.second', { kind: 'method', startLine: 9, endLine: 12 });
const CHUNKS = [MODULE, CLASS, FIRST, SECOND];

describe('chunks of a file', () => {
  it('do not own the lines of nested chunks', () => {
    assert.deepEqual(listOwnLines(FIRST, CHUNKS), [[5, 7]]);
    assert.deepEqual(listOwnLines(CLASS, CHUNKS), [
      [3, 4],
      [8, 8],
    ]);
    assert.deepEqual(listOwnLines(MODULE, CHUNKS), [
      [1, 2],
      [13, 20],
    ]);
  });

  it('have as depth the number of definitions that enclose them', () => {
    assert.deepEqual(
      CHUNKS.map((chunk) => getDepth(chunk, CHUNKS)),
      [0, 0, 1, 1],
    );
  });

  it('are found by a line: the innermost definition, or else module code', () => {
    assert.equal(findChunkAt(CHUNKS, 6), FIRST);
    assert.equal(findChunkAt(CHUNKS, 4), CLASS);
    assert.equal(findChunkAt(CHUNKS, 15), MODULE);
    assert.equal(findChunkAt(CHUNKS, 30), null);
  });
});

describe('results in the preview', () => {
  const results = ranking(
    { address: 'a.py::low', startLine: 30, endLine: 31 },
    'b.py::g',
    { address: 'a.py::high', startLine: 2, endLine: 9 },
    'c.py::h',
  );

  it('are listed in the order of their lines', () => {
    assert.deepEqual(
      listResultsIn(results, 'a.py').map(({ rank }) => rank),
      [3, 1],
    );
  });

  it('are selected one after another within a file, from the cursor if the selected chunk is not a result', () => {
    const step = (selected: string, line: number, direction: 1 | -1) =>
      findNextInFile(results, selected, line, direction)?.address ?? null;
    assert.equal(step('a.py::high', 1, 1), 'a.py::low');
    assert.equal(step('a.py::low', 1, 1), 'a.py::high');
    assert.equal(step('a.py::other', 10, 1), 'a.py::low');
    assert.equal(step('a.py::other', 10, -1), 'a.py::high');
    assert.equal(step('a.py::other', 40, 1), 'a.py::high');
    assert.equal(step('a.py::other', 40, -1), 'a.py::low');
    assert.equal(step('b.py::g', 1, 1), null);
    assert.equal(step('z.py::f', 1, 1), null);
  });

  it("are selected file by file, in the order of each file's best rank", () => {
    const step = (selected: string | null, direction: 1 | -1) =>
      findBestInNextFile(results, selected, direction)?.address ?? null;
    assert.equal(step('a.py::high', 1), 'b.py::g');
    assert.equal(step('c.py::h', 1), 'a.py::low');
    assert.equal(step('a.py::low', -1), 'c.py::h');
    assert.equal(step(null, 1), 'a.py::low');
    assert.equal(step('z.py::f', -1), 'a.py::low');
    assert.equal(findBestInNextFile([], null, 1), null);
  });

  it('are colored more strongly the better they rank', () => {
    assert.deepEqual([1, 3, 4, 10, 11, 30, 31].map(getHeat), [1, 1, 2, 2, 3, 3, 4]);
  });
});

describe('the navigation history', () => {
  const createHistory = (...addresses: string[]) =>
    addresses.reduce(
      (history, address) =>
        addEntry(history, { address, search: null, isPicked: false }, { shouldReplace: false }),
      EMPTY_HISTORY,
    );

  it('keeps entries in order', () => {
    const { entries, at } = createHistory('a', 'b');
    assert.deepEqual(
      entries.map(({ address, line }) => [address, line]),
      [
        ['a', null],
        ['b', null],
      ],
    );
    assert.equal(at, 1);
  });

  it('drops later entries when a new one is added', () => {
    const { entries, at } = addEntry(
      { ...createHistory('a', 'b', 'c'), at: 0 },
      { address: 'd', search: null, isPicked: false },
      { shouldReplace: false },
    );
    assert.deepEqual(
      entries.map(({ address }) => address),
      ['a', 'd'],
    );
    assert.equal(at, 1);
  });

  it('replaces the current entry on request', () => {
    const { entries } = addEntry(
      createHistory('a', 'b'),
      { address: 'c', search: null, isPicked: false },
      { shouldReplace: true },
    );
    assert.deepEqual(
      entries.map(({ address }) => address),
      ['a', 'c'],
    );
    assert.equal(
      addEntry(
        EMPTY_HISTORY,
        { address: 'a', search: null, isPicked: false },
        { shouldReplace: true },
      ).entries.length,
      1,
    );
  });

  it('replaces results that were shown briefly, and lists of an edited issue in which nothing was selected', () => {
    const search = (text: string, id = 1) => ({ issue: { id, text } }) as unknown as ShownSearch;
    const [current] = addEntry(
      EMPTY_HISTORY,
      { address: 'a', search: search('one'), isPicked: false },
      { shouldReplace: false },
    ).entries;
    const isReplaced = (entry: HistoryEntry | undefined, next: ShownSearch, shownMs: number) =>
      isTransient(entry, { search: next, isNextPicked: true, shownMs });
    assert.equal(isReplaced(current, search('one'), 100), true);
    assert.equal(isReplaced(current, search('one'), 1000), false);
    assert.equal(isReplaced(current, search('two'), 1000), true);
    assert.equal(isReplaced(current, search('two'), 6000), false);
    assert.equal(isReplaced(current, search('two', 2), 1000), false);
    assert.equal(isReplaced(current && { ...current, isPicked: true }, search('two'), 100), false);
  });

  it('remembers the line at which an entry was left', () => {
    const { entries } = updateEntry(createHistory('a', 'b'), { line: 7 });
    assert.deepEqual(
      entries.map(({ line }) => line),
      [null, 7],
    );
    assert.deepEqual(updateEntry(EMPTY_HISTORY, { line: 7 }), EMPTY_HISTORY);
  });

  it('has at most 200 entries', () => {
    const { entries, at } = createHistory(
      ...Array.from({ length: 250 }, (_, index) => `f${index}`),
    );
    assert.equal(entries.length, 200);
    assert.equal(at, 199);
    assert.equal(entries.at(-1)?.address, 'f249');
  });
});

describe('definitions that enclose a line', () => {
  const chunks = CHUNKS.map((chunk) => ({ ...chunk, headerLine: chunk.startLine }));

  it('are listed outermost first', () => {
    assert.deepEqual(
      listEnclosing(chunks, 6).map(({ name }) => name),
      ['Cart', 'first'],
    );
    assert.deepEqual(listEnclosing(chunks, 15), []);
  });

  it('determine the depth in the outline', () => {
    assert.deepEqual(
      buildOutline(chunks).map(({ chunk: { name }, depth }) => [name, depth]),
      [
        ['Cart', 0],
        ['first', 1],
        ['second', 1],
      ],
    );
  });
});
