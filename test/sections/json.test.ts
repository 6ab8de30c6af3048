import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

const split = (...written: string[]) => outlineSections('package.json', lines(...written));

test('splits JSON by keys to depth two', () => {
  assert.deepEqual(
    split(
      '{',
      '  "name": "shop",',
      '  "scripts": {',
      '    "build": "tsc \\"}\\" {",',
      '    "test": "node --test"',
      '  },',
      '  "files": ["a", { "id": "b" }],',
      '  "empty": {},',
      '  "exports": {',
      '    ".": {',
      '      "import": "./index.js"',
      '    }',
      '  }',
      '}',
    ),
    [
      '1-2 name [shop]',
      '3-4 scripts > build',
      '5-6 scripts > test',
      '7-7 files [id, b]',
      '8-8 empty',
      '9-14 exports > . [import]',
    ],
  );
});

test('reads comments, trailing commas and keys without quotes', () => {
  assert.deepEqual(
    split(
      '// A notice: "x": {',
      '',
      '{',
      '  /* Of the',
      '   * compiler. */',
      "  'compilerOptions': { // beside",
      '    // How strict.',
      '    strict: true,',
      '  },',
      '  include: ["src"], /* a */ exclude: [],',
      '}',
    ),
    ['1-3 package.json', '4-9 compilerOptions > strict', '10-11 include [exclude]'],
  );
});

test('keeps JSON on one line as one section', () => {
  assert.deepEqual(split('{ "a": { "b": 1 }, "c": [] }'), ['1-1 package.json [a, b, c]']);
  assert.deepEqual(split('true'), ['1-1 package.json']);
});

test('reads YAML in files that contain either', () => {
  assert.deepEqual(outlineSections('.prettierrc', 'semi: false\noverrides:\n  - a: 1\n'), [
    '1-1 semi',
    '2-3 overrides > a 1 [1]',
  ]);
});

test('does not split data', () => {
  assert.deepEqual(split('[', '{ "a": 1 }', ']'), []);
  const keys = (count: number) =>
    split(
      JSON.stringify(
        { all: Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i])) },
        null,
        1,
      ),
    );
  assert.deepEqual(keys(2000), []);
  assert.equal(keys(1999).length, 1999);
});
