import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
/** Shortcut of a command and, further down in the same literal, its pane. */
const SHORTCUT = /keys: '([^']+)',(?:(?!keys: |\n {2}\},)[\s\S])*?(?:within: '([^']+)'|\n {2}\},)/g;

test('no two commands have the same shortcut', () => {
  const shortcuts = globSync('src/renderer/**/{start,view-commands}.ts', { cwd: root }).flatMap(
    (path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(SHORTCUT)].map(
        ([, keys, pane = '']) => `${pane} ${keys}`,
      ),
  );
  assert.ok(shortcuts.length > 30, 'shortcuts are found');
  const twice = shortcuts.filter((one, at) => shortcuts.indexOf(one) < at);
  assert.deepEqual(twice, []);
});
