/** Text that is prepared for the grammars of languages that are read by their tags. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLanguage } from '../../../src/engine/languages/index.ts';
import { outline } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

/** Returns the chunks of a source, after checking that it has no error and that preparing moves nothing. */
async function outlineOf(path: string, text: string): Promise<string[]> {
  const language = findLanguage(path);
  const prepared = language?.prepare?.(text) ?? '';
  assert.equal(prepared.length, text.length);
  const lineEnds = (source: string) => [...source.matchAll(/\n/g)].map(({ index }) => index);
  assert.deepEqual(lineEnds(prepared), lineEnds(text));
  const source = (await parserFor(language?.name ?? ''))(text);
  assert.equal(source.errors, 0);
  return outline(source);
}

test('literate Haskell: code is behind `>`, or between \\begin{code} and \\end{code}', async () => {
  const bird =
    'A cart.\n\n> -- | Adds one.\n> add :: Int -> Int\n> add x =\n>   x\n\nNo > code.\n\n> total = 1\n';
  assert.deepEqual(await outlineOf('cart.lhs', bird), ['function add 4-6', 'function total 10-10']);
  const latex =
    '\\section{A cart}\n\\begin{code}\nadd x = x\n\\end{code}\nType |add|.\n\\begin{code}\ntotal = 1\n\\end{code}\n';
  assert.deepEqual(await outlineOf('cart.lhs', latex), ['function add 3-3', 'function total 7-7']);
});

test('Haskell: a block comment with literate code in it is a comment', async () => {
  const text = '{-\n> old = 1\n\\begin{code}\n-}\nadd x = x\n';
  assert.deepEqual(await outlineOf('cart.hs', text), ['function add 1-5']);
});

test('Objective-C: methods in the macros of a test framework are found, and declarations are not', async () => {
  const text =
    'SpecBegin(Cart) {\n  Cart *cart;\n}\n\n- (void)testAdd {\n  [cart add:1];\n}\n\n- (void)declared;\n\n- (int)total:(int)x\n{\n  return x;\n}\nSpecEnd\n';
  const source = (await parserFor('objective-c'))(text);
  assert.deepEqual(outline(source), [
    'function Cart 1-3',
    'function testAdd 5-7',
    'function total 11-14',
  ]);
});

const FUNCTIONS: [what: string, text: string, expected: string[]][] = [
  [
    'a body that ends without a semicolon',
    'CREATE PROCEDURE a AS\nBEGIN\n  SET NOCOUNT ON;\nEND\nGO\nCREATE TABLE b (c int);\n',
    ['function a 1-4', 'class b 6-6'],
  ],
  [
    'a procedure without a block',
    'CREATE PROCEDURE dbo.a @b int AS\n  SELECT 1;\n  EXEC c 2;\nGO\nCREATE TABLE b (c int);\n',
    ['method dbo.a 1-3', 'class b 5-5'],
  ],
  [
    'a quote in a comment of its code',
    "CREATE FUNCTION a() RETURNS int AS $$\nBEGIN\n  -- don't\n  RETURN b(c(1), 2);\nEND $$ LANGUAGE plpgsql;\nCREATE TABLE b (c int);\n",
    ['function a 1-5', 'class b 6-6'],
  ],
  [
    'brackets that do not match',
    'CREATE FUNCTION a() RETURNS int AS $$\nBEGIN\n  b(c(1);\n  e)(;\nEND $$;\nCREATE TABLE b (c int);\n',
    ['function a 1-5', 'class b 6-6'],
  ],
  [
    'a single quoted body',
    "CREATE FUNCTION a(b int) RETURNS int AS 'BEGIN RETURN ''x;''; END' LANGUAGE plpgsql;\nCREATE TABLE b (c int);\n",
    ['function a 1-1', 'class b 2-2'],
  ],
];
for (const [what, text, expected] of FUNCTIONS)
  test(`SQL: ${what} is read`, async () =>
    assert.deepEqual(await outlineOf('a.sql', text), expected));

test('SQL: a function that is defined in a block is found', async () => {
  const text =
    'DO $$ BEGIN\n  CREATE FUNCTION a() RETURNS int AS $f$\n  BEGIN RETURN 1; END\n  $f$ LANGUAGE plpgsql;\nEND $$;\n';
  assert.deepEqual(outline((await parserFor('sql'))(text)), ['function a 2-4']);
});
