import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
/** Of all but languages: what is a separator of addresses may be one of a language's names. */
const sources = globSync('{src,lab}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['src/engine/languages/*/**'],
}).map((path) => ({
  path: path.replaceAll('\\', '/'),
  code: readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ''),
}));

const holders = (sign: RegExp) =>
  sources.flatMap(({ path, code }) => (sign.test(code) ? [path] : [])).sort();

const ONCE: [what: string, sign: RegExp, path: string][] = [
  ['the devices', /'coreml'/, 'src/shared/devices.ts'],
  [
    'what an address looks like',
    /IndexOf\('::'\)|split\('::'\)|:\(\?=:\)/,
    'src/shared/address.ts',
  ],
  ['what a diff looks like', /\^@@|\(\?:---\||'diff --git/, 'src/base/unified-diff.ts'],
  [
    'how git is asked for commits',
    /'rev-list', \.\.\.args, '--end-of-options', revision/,
    'src/engine/history/read-history.ts',
  ],
  ['the error of cancelled work', /LocusError\(\s*'cancelled'/, 'src/shared/errors.ts'],
  ['the check for cancellation', /function throwIf/, 'src/base/cancel.ts'],
  ['how an error is sent', /\{ code, message, remedy \} = error\b/, 'src/shared/errors.ts'],
  ['the kinds of chunks', /'function', 'method', 'class', 'module'/, 'src/shared/chunk.ts'],
  ['the formats of exported lists', /'json', 'csv', 'sarif'/, 'src/shared/lists.ts'],
];

for (const [what, sign, path] of ONCE) {
  test(`${what}: one file says it`, () => {
    assert.deepEqual(holders(sign), [path]);
  });
}
