import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
/** Sources except languages, in which separators of addresses may also separate names. */
const sources = globSync('{src,lab}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['src/engine/languages/*/**'],
}).map((path) => ({
  path: path.replaceAll('\\', '/'),
  code: readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ''),
}));

const findFiles = (sign: RegExp) =>
  sources.flatMap(({ path, code }) => (sign.test(code) ? [path] : [])).sort();

const ONCE: [what: string, sign: RegExp, path: string][] = [
  ['the devices', /'coreml'/, 'src/shared/devices.ts'],
  ['the format of an address', /IndexOf\('::'\)|split\('::'\)|:\(\?=:\)/, 'src/shared/address.ts'],
  ['the format of a diff', /\^@@|'diff --git/, 'src/base/unified-diff.ts'],
  [
    'the git command that lists commits',
    /'rev-list', \.\.\.args, '--end-of-options', revision/,
    'src/engine/history/read-history.ts',
  ],
  ['the error of cancelled work', /LocusError\(\s*'cancelled'/, 'src/shared/errors.ts'],
  ['the check for cancellation', /function throwIf/, 'src/base/cancel.ts'],
  ['the format of a sent error', /\{ code, message, remedy \} = error\b/, 'src/shared/errors.ts'],
  [
    'the kinds of chunks',
    /'function', 'method', 'class', 'module', 'section'/,
    'src/shared/chunk-kind.ts',
  ],
  ['the formats of exported lists', /'json', 'csv', 'sarif'/, 'src/shared/lists.ts'],
];

for (const [what, sign, path] of ONCE) {
  test(`${what} is defined in one file`, () => {
    assert.deepEqual(findFiles(sign), [path]);
  });
}
