import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertForBroken } from '../support/broken.ts';
import { assertSound, dedent, outline, parse } from './helpers.ts';

/** Broken, huge and strange sources, with the names of chunks that must still be found. */
const HOSTILE: Record<string, [string, string[]]> = {
  'white space': [' \t \n\n   ', []],
  'NUL characters': ['def f():\n  x = "\0"\n\0\0def g(): pass\n', ['f', 'g']],
  'half a surrogate pair': ['def f():\n  "\ud800"\n', ['f']],
  'line breaks of old': ['def f():\r  pass\r', ['f']],
  'ten thousand brackets': [
    `x = ${'('.repeat(10_000)}${')'.repeat(10_000)}\ndef f(): pass\n`,
    ['f'],
  ],
  'ten thousand open brackets': [
    `def f():\n  x = ${'('.repeat(10_000)}\n\ndef g(): pass\n`,
    ['f', 'g'],
  ],
  'a line of 4,000 characters': [`def f():\n  return [${'"abc", '.repeat(600)}]\n`, ['f']],
  'a line of a million characters': [`def f():\n  return "${'a'.repeat(1_000_000)}"\n`, ['f']],
  'ten thousand branches': [`if a: pass\n${'elif b: pass\n'.repeat(10_000)}def f(): pass\n`, ['f']],
  'five thousand nested types': [
    `def f(x: ${'Optional['.repeat(5000)}A${']'.repeat(5000)}): pass\n`,
    ['f'],
  ],
  'five hundred nested classes': [
    `${Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}class C${i}:`).join('\n')}\n${' '.repeat(500)}pass\n`,
    ['C0', 'C0.C1'],
  ],
  'nothing but errors': ['$ ! ? def (\n'.repeat(1000), []],
  'binary data': [
    String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)),
    [],
  ],
  'mixed tabs and spaces': [
    'class A:\n\tdef f(self):\n        x = 1\n\tdef g(self): pass\n',
    ['A', 'A.f', 'A.g'],
  ],
};

for (const [name, [text, expected]] of Object.entries(HOSTILE)) {
  test(`hostile: ${name}`, () => {
    const source = parse(text);
    assertSound(source);
    const names = new Set(source.chunks.map((chunk) => chunk.qualifiedName));
    for (const qualifiedName of expected) assert.ok(names.has(qualifiedName), qualifiedName);
  });
}

test('hostile: fifty thousand lines', () => {
  const source = parse('def f(x):\n    y = g(x)\n    return y.z(x)\n\n'.repeat(12_500));
  assert.equal(source.lines, 50_000);
  assert.equal(outline(source).at(-1), 'function f#12500 49997-49999');
  assert.equal(source.facts.references.length, 25_000);
});

/** Sample of all syntax, which the fuzzer breaks. */
const SAMPLE = dedent`
  """Module."""
  from __future__ import annotations
  import os, sys as system
  from .a.b import (c, d as e)

  LIMIT: int = max(1, 2)

  @decorate("x", key=lambda v: v)
  async def fetch[T](url: str, *args, retries: int = 3, **kw) -> Optional[T]:
      '''Doc
      string.'''
      def inner():
          return url.strip()
      async with open(url) as f, lock:
          async for line in f:
              yield inner() or await g(line)
      # the end

  class Outer(Base, metaclass=Meta):
      """Doc."""
      items = [x for x in range(10)]

      class Inner:
          def method(self):
              print >>sys.stderr, "x"

      if sys.version_info > (3,):
          @property
          def p(self): return self._p
      else:
          def p(self):
              try:
                  return super().p()
              except (A, B) as error:
                  raise C(f"{error!r:>{self.w}}") from error

      def __init__(self, p=None):
          self._p = p or Default()
          match p:
              case Foo(x=1) as m if m: pass
              case _: pass

  if __name__ == "__main__":
      with timer() as t:
          Outer().p()
`;
const INSERTS = [
  '(',
  ')',
  '[',
  '{',
  '}',
  '"',
  "'",
  '"""',
  ':',
  ',',
  '\n',
  '\t',
  '    ',
  '\\',
  '#',
  '@',
  '.',
  '=',
  '*',
  'def ',
  'class ',
  'def f():',
  'class X:\n',
  'lambda',
  'async ',
  'print x',
  '; def g(): pass',
  '$',
  '`',
  '\0',
  '\r',
  '\ufeff',
  '😀',
];

test('hostile: chunks of a mutated source are valid', () => {
  assertForBroken(SAMPLE, INSERTS, 600, (text) => assertSound(parse(text)));
});

test('hostile: a source cut off anywhere keeps the definitions before the cut', () => {
  for (let end = 0; end <= SAMPLE.length; end += 7) {
    const source = parse(SAMPLE.slice(0, end));
    assertSound(source);
    const names = source.chunks.map((chunk) => chunk.qualifiedName);
    if (end > SAMPLE.indexOf('# the end')) assert.ok(names.includes('fetch'), `cut at ${end}`);
  }
});
