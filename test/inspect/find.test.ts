import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findByName } from '../../src/engine/inspect/find.ts';
import { createNameMatcher, parseNameQuery } from '../../src/shared/name-match.ts';
import { MemoryIndex } from '../search/support.ts';

const INDEX = new MemoryIndex({
  'src/node/config.ts': [
    { name: 'resolveConfig', lines: [10, 40] },
    { name: 'isResolvedConfig', lines: [50, 60] },
    { name: 'Loader', kind: 'class', lines: [70, 99] },
    { name: 'Loader.load', kind: 'method', lines: [80, 90] },
  ],
  'src/server/hmr.ts': [{ name: 'handleHMRUpdate' }, { name: 'updateModules' }],
  'src/other.ts': [{ name: 'update' }],
  'config.ts': [{ name: 'options', lines: [1, 5] }],
  'test/load.test.ts': [{ name: 'load' }],
});

const find = (typed: string, limit = 50) =>
  findByName(INDEX, typed, limit).map(({ kind, path, qualifiedName }) =>
    kind === 'module' ? path : qualifiedName,
  );

describe('going to code', () => {
  it('finds a name by its letters in order, the best match first', () => {
    assert.deepEqual(find('rslvcfg'), ['resolveConfig', 'isResolvedConfig']);
    assert.deepEqual(find('RESOLVECONFIG', 1), ['resolveConfig']);
    assert.deepEqual(find('ldrld'), ['Loader.load']);
    assert.deepEqual(find('gfclvsr'), []);
    assert.deepEqual(find('  '), []);
  });

  it('requires all words, in any order, one of them in the name', () => {
    assert.deepEqual(find('hmr upd'), ['handleHMRUpdate', 'updateModules']);
    assert.deepEqual(find('upd hmr'), find('hmr upd'));
    assert.deepEqual(find('server hmr'), ['src/server/hmr.ts', 'handleHMRUpdate']);
    assert.deepEqual(find('hmr nowhere'), []);
  });

  it('takes a word with a slash as a path, and understands an address', () => {
    assert.deepEqual(find('node/conf'), ['src/node/config.ts']);
    assert.deepEqual(find('node/conf isres'), ['isResolvedConfig']);
    assert.deepEqual(find('src/node/config.ts::Loader.load'), ['Loader.load']);
  });

  it('goes to the innermost function at a line, first in files that have the line', () => {
    assert.deepEqual(find('config.ts:85'), ['Loader.load', 'config.ts']);
    assert.deepEqual(find('config.ts:45:7'), ['src/node/config.ts', 'config.ts']);
    assert.deepEqual(find('node/config.ts:75'), ['Loader']);
    assert.deepEqual(find('config.ts:'), find('config.ts'));
  });

  it('tells which characters matched', () => {
    const match = (typed: string, qualifiedName: string) => {
      const [chunk] = INDEX.chunks.filter((one) => one?.qualifiedName === qualifiedName);
      return chunk && createNameMatcher(parseNameQuery(typed))(chunk);
    };
    const { name, path } = match('hmr upd', 'updateModules') ?? {};
    assert.deepEqual(name, [0, 1, 2]);
    assert.deepEqual(path, [11, 12, 13]);
    assert.equal(match('hmr', 'update'), null);
  });
});
