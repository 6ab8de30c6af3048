import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheUntilEdited } from '../../src/engine/search/gather/chunks.ts';
import { getPathNames } from '../../src/engine/search/gather/files.ts';
import { MemoryIndex } from './support.ts';

test('a value is computed once for an index, and again after an edit', () => {
  let made = 0;
  const paths = cacheUntilEdited((index) => {
    made++;
    return [...index.getPaths()];
  });
  const index = new MemoryIndex({ 'a.py': [], 'b.py': [] });
  assert.deepEqual(paths(index), ['a.py', 'b.py']);
  paths(index);
  assert.equal(made, 1);
  index.removeFile('a.py');
  assert.deepEqual(paths(index), ['b.py']);
  index.addFile('c.py', []);
  assert.deepEqual(paths(index), ['b.py', 'c.py']);
  assert.equal(made, 3);
  assert.deepEqual(paths(new MemoryIndex({ 'd.py': [] })), ['d.py']);
});

test('a name finds the paths that have it between slashes and dots, in order', () => {
  const all = [
    'src/app/session.py',
    'src/session/app.test.ts',
    'README.md',
    'sessions.go',
    'py/x.c',
  ];
  const index = new MemoryIndex(Object.fromEntries(all.map((path) => [path, []])));
  const names = [...new Set(all.flatMap((path) => path.split(/[/.]/))), 'nowhere', ''];
  for (const one of names) {
    for (const other of names) {
      const found = [...getPathNames(index).findPathsWith([one, other])];
      const has = (path: string) =>
        path.split(/[/.]/).some((name) => name === one || name === other);
      assert.deepEqual(found, all.filter(has), `${one} ${other}`);
    }
  }
  assert.deepEqual([...getPathNames(index).findPathsWith([])], []);
});
