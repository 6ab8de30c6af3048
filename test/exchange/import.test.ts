import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toList } from '../../src/services/exchange/export.ts';
import { anchorEntries } from '../../src/services/exchange/import.ts';
import type { HashedChunk } from '../../src/shared/chunk.ts';
import type { AnchorMatches } from '../../src/shared/lists.ts';
import { chunk, exportInput } from './sample.ts';

/** Exports `before`, opens the list against `now`, and returns the outcome of each entry as `state address`. */
function anchored(before: HashedChunk[], now: HashedChunk[]): string[] {
  const entries = toList(exportInput(before)).chunks;
  const matches: AnchorMatches[] = before.map((was) => {
    const others = now.filter(({ address }) => address !== was.address);
    return {
      sameAddress: now.find(({ address }) => address === was.address) ?? null,
      sameContent: others.filter(({ contentHash }) => contentHash === was.contentHash),
      sameName: others.filter(({ name, kind }) => name === was.name && kind !== 'module'),
    };
  });
  return anchorEntries(entries, matches).map(({ state, now }) =>
    [state, now?.address].filter(Boolean).join(' '),
  );
}

describe('an imported list', () => {
  const was = chunk('a.py', 'f', 'one', { line: 5 });

  it('finds unchanged code, wherever its lines are now', () => {
    assert.deepEqual(anchored([was], [chunk('a.py', 'f', 'one', { line: 50 })]), ['same a.py::f']);
  });

  it('marks changed code at the same address', () => {
    assert.deepEqual(anchored([was], [chunk('a.py', 'f', 'two')]), ['changed a.py::f']);
  });

  it('follows code to another file and to another name', () => {
    assert.deepEqual(anchored([was], [chunk('b.py', 'f', 'one')]), ['moved b.py::f']);
    assert.deepEqual(anchored([was], [chunk('a.py', 'g', 'one')]), ['moved a.py::g']);
  });

  it('follows a unique name to another file even when its code changed', () => {
    const now = [chunk('b.py', 'f', 'two'), chunk('b.py', 'g', 'three')];
    assert.deepEqual(anchored([was], now), ['moved and changed b.py::f']);
  });

  it('does not guess if several chunks have the name', () => {
    assert.deepEqual(anchored([was], [chunk('b.py', 'f', 'two'), chunk('c.py', 'f', 'three')]), [
      'gone',
    ]);
  });

  it('prefers an equal qualified name to an equal simple name', () => {
    const method = chunk('a.py', 'A.run', 'one');
    const now = [chunk('b.py', 'A.run', 'two'), chunk('b.py', 'B.run', 'three')];
    assert.deepEqual(anchored([method], now), ['moved and changed b.py::A.run']);
  });

  it('chooses the copy with the most similar name and path', () => {
    const deep = chunk('src/app/util.py', 'f', 'one');
    const now = [
      chunk('lib/util.py', 'g', 'one'),
      chunk('src/app/text.py', 'f', 'one'),
      chunk('x.py', 'f', 'one'),
    ];
    assert.deepEqual(anchored([deep], now), ['moved src/app/text.py::f']);
  });

  it('keeps an entry on its code when a definition of the same name is added before it', () => {
    const now = [chunk('a.py', 'f', 'new'), chunk('a.py', 'f', 'one', { ordinal: 1 })];
    assert.deepEqual(anchored([was], now), ['same a.py::f#2']);
  });

  it('matches no chunk to two entries', () => {
    const copy = chunk('b.py', 'f', 'one');
    assert.deepEqual(anchored([was, copy], [copy]), ['gone', 'same b.py::f']);
  });

  it('does not match empty modules to each other', () => {
    const empty = (path: string) => chunk(path, '<module>', '', { kind: 'module' });
    assert.deepEqual(
      anchored([empty('a/__init__.py')], [empty('b/__init__.py'), empty('c/__init__.py')]),
      ['gone'],
    );
  });
});
