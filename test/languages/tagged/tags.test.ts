import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translateTags } from '../../../src/engine/languages/tagged/tags.ts';
import { outline } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

/** Returns the translated patterns without those for comments and errors. */
const translate = (tags: string) => translateTags(tags, []).split('\n').slice(0, -2);

test('tags become the roles of Locus; other kinds of definitions and references are left out', () => {
  assert.deepEqual(
    translate(`
      ; A comment.
      (f name: (id) @name) @definition.function
      (m name: (id) @name body: (_)? @body) @definition.method
      (c name: [(id) (type)] @name) @definition.interface
      (n (id) @name) @definition.namespace
      (k (id) @name) @definition.constant
      (k (id) @name) @definition.toString
      (call . (id) @name) @reference.call
      (new (id) @name) @reference.class
      (use (id) @name) @reference.module
      (plain (id))
    `),
    [
      '(f name: (id) @definition.name) @definition.function',
      '(m name: (id) @definition.name body: (_) ? @definition.body) @definition.function',
      '(c name: [(id) (type)] @definition.name) @definition.class',
      '(n (id) @definition.name) @definition.namespace',
      '(call . (id) @call.name) @call.node',
      '(new (id) @call.name) @call.node',
    ],
  );
});

test('of comments and the definition below them, the definition counts', () => {
  const tags = `(
    (comment)* @doc
    .
    (f name: (id) @name) @definition.function
    (#strip! @doc "^--\\\\s*")
    (#select-adjacent! @doc @definition.function)
    (#match? @doc "x")
    (#not-eq? @name "a\\"b")
  )`;
  assert.deepEqual(translate(tags), [
    '((f name: (id) @definition.name) @definition.function (#not-eq? @definition.name "a\\"b"))',
  ]);
});

test('captures for conditions keep their conditions', () => {
  const tags =
    '(call target: (id) @ignore (args (id) @name) (#any-of? @ignore "def" "defp")) @definition.function';
  assert.deepEqual(translate(tags), [
    '(call target: (id) @definition.other_ignore (args (id) @definition.name) (#any-of? @definition.other_ignore "def" "defp")) @definition.function',
  ]);
});

test('comments of the language are before definitions, and roles of Locus may be used, too', () => {
  assert.deepEqual(
    translateTags('(annotation) @before.node', ['comment', 'block_comment']).split('\n'),
    [
      '(annotation) @before.node',
      '(comment) @before.node',
      '(block_comment) @before.node',
      '(ERROR) @error.node',
      '(MISSING) @error.node',
    ],
  );
});

test('bad syntax is refused', () => {
  assert.throws(() => translate('(f @definition.function'), /lacks a closing bracket/);
  assert.throws(() => translate('(f]) @definition.function'), /unbalanced bracket at offset 3/);
});

test('a class that is tagged as a function, too, is a class; the other tags of a node do not count', async () => {
  const parse = await parserFor('zig');
  const source = parse(
    'fn List(comptime T: type) type {\n    return struct {\n        fn add(x: T) void {}\n    };\n}\n',
  );
  assert.deepEqual(outline(source), ['class List 1-5', 'method List.add 3-3']);
});

test('SQL: a function with code that the grammar does not know is read to its end', async () => {
  const parse = await parserFor('sql');
  const source = parse(
    'CREATE FUNCTION f(x int) RETURNS int AS $$\nBEGIN\n  PERFORM g(x);\n  RETURN x;\nEND;\n$$ LANGUAGE plpgsql;\nCREATE VIEW v AS SELECT 1;\n',
  );
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), ['function f 1-6', 'class v 7-7']);
});

test('definitions in text with syntax errors are found by the words in front of their names', async () => {
  const parse = await parserFor('swift');
  const source = parse('func a( {\n\nclass Cart {\n  func total() -> Int {\n    1\n  }\n}\n');
  assert.ok(source.errors > 0);
  const names = source.chunks.map(({ qualifiedName }) => qualifiedName);
  assert.ok(names.includes('Cart') && names.some((name) => name.endsWith('total')), names.join());
});

const BROKEN: [language: string, text: string, expected: string][] = [
  ['shell', 'a() {\n  b="$(c\n}\n\nadd_item() { # <item>\n  echo\n}\n', 'function add_item 5-7'],
  ['make', 'A = $(error (no\n\nclean::\n\trm a\n', 'function clean 3-3'],
];
for (const [language, text, expected] of BROKEN)
  test(`${language}: a definition behind a syntax error is found by its first row`, async () => {
    const source = (await parserFor(language))(text);
    assert.ok(source.errors > 0);
    assert.ok(outline(source).includes(expected), outline(source).join());
  });

test('a comment at the end of a definition that is not indented deeper documents the next one', async () => {
  const parse = await parserFor('fsharp');
  const source = parse(
    'module A\n/// One.\nlet one x =\n    match x with\n    | _ -> 1\n/// Two.\nlet two x =\n    2\n    // End.\n',
  );
  assert.deepEqual(outline(source), ['function A.one 2-5', 'function A.two 6-9']);
});
