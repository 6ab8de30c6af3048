/** Definitions that share a row have texts and facts of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parserFor } from '../languages/helpers.ts';
import { assertSound, chunkOf, dedent, outline, references } from './helpers.ts';

const java = await parserFor('java');
const typescript = await parserFor('typescript');
const c = await parserFor('c');
const COMMENT = /^(?:\/\*.*\*\/|\/\/.*)$/s;

test('each method on a row has its own text and calls; other members go with the one before', () => {
  const source = java(dedent`
    class Box {
      int getB() { return read(b); } int b; void setB(int v) { write(v); } // both
    }
  `);
  assertSound(source, COMMENT);
  assert.equal(
    chunkOf(source, 'Box.getB').text,
    'class Box {\n    int getB() { return read(b); } int b;',
  );
  assert.equal(
    chunkOf(source, 'Box.setB').text,
    'class Box {\n    void setB(int v) { write(v); } // both',
  );
  assert.deepEqual(references(source, 'Box.getB'), ['call read']);
  assert.deepEqual(references(source, 'Box.setB'), ['call write']);
  const outlined =
    'class Box {\n    int getB() { return read(b); } int b;\n    void setB(int v) { write(v); } // both';
  assert.equal(chunkOf(source, 'Box').text, outlined);
});

test('a row is shared by the end of one definition and the start of the next', () => {
  const source = java(dedent`
    class Box { void first() {
      one(); } void second() {
      two();
    } void third() { three(); }
    int last = four(); }
  `);
  assertSound(source, COMMENT);
  assert.deepEqual(outline(source), [
    'class Box 1-5',
    'method Box.first 1-2',
    'method Box.second 2-3',
    'method Box.third 4-4',
  ]);
  assert.match(chunkOf(source, 'Box.first').text, /one\(\); \}$/);
  assert.match(chunkOf(source, 'Box.second').text, /\n {4}void second\(\) \{\n {4}two\(\);$/);
  assert.deepEqual(references(source, 'Box.first'), ['call one']);
  assert.deepEqual(references(source, 'Box.second'), ['call two']);
  assert.deepEqual(references(source, 'Box'), ['call four']);
});

test('classes on one row have their own methods', () => {
  const source = typescript(
    'class A { f() { one(); } } class B { /** Doc. */ g() { two(); } }\nthree();\n',
  );
  assertSound(source, COMMENT);
  assert.deepEqual(outline(source), [
    'class A 1-1',
    'method A.f 1-1',
    'class B 1-1',
    'method B.g 1-1',
  ]);
  assert.equal(chunkOf(source, 'B').text.split('\n')[0], 'class B { /** Doc. */ g() { two(); } }');
  assert.deepEqual(references(source, 'A.f'), ['call one']);
  assert.deepEqual(references(source, 'B.g'), ['call two']);
  assert.deepEqual(references(source), ['call three']);
});

test('code behind the last definition of a row belongs to the module', () => {
  const source = typescript(
    'export const get = () => one(); export const post = () => two(); three();\n',
  );
  assert.deepEqual(outline(source), ['function get 1-1', 'function post 1-1']);
  assert.deepEqual(references(source, 'get'), ['call one']);
  assert.deepEqual(references(source, 'post'), ['call two']);
  assert.deepEqual(references(source), ['call three']);
});

test('a very long row stays with its first definition, so that texts do not multiply', () => {
  const count = 2_000;
  const text = Array.from({ length: count }, (_, i) => `int f${i}(void) { return ${i}; }`).join(
    ' ',
  );
  assert.deepEqual(outline(c(`${text}\n`)), ['function f0 1-1']);
  const lines = text.replaceAll('} ', '}\n');
  assert.equal(outline(c(lines)).length, count);
});
