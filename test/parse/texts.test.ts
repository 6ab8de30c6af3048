import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CHUNK_TEXT } from '../../src/engine/parse/text.ts';
import { assertSound, chunkOf, dedent, parse } from './helpers.ts';

const SOURCE = dedent`
  """About the module."""
  # A comment.
  import os


  LIMIT = 3

  @cache
  def area(
      width: int,
  ) -> int:  # metres
      '''The area.

      In metres.
      '''
      return width * width

  @dataclass
  class Shape(
      Base,
  ):
      """A shape."""

      # How many corners.
      corners: int = 4

      if DEBUG:
          def dump(self): print(self)

      def area(
          self,
      ):
          "No corners, no area."
          return self.corners

      def __init__(self, corners):

          self.corners = corners

      @property
      def name(self): ...

      class Kind(Enum):
          ROUND = 1
          def is_round(self):
              return True

  print(LIMIT)
`;
const source = parse(SOURCE);

function text(name: string): string {
  return `${chunkOf(source, name).text}\n`;
}

function signature(name: string): string {
  const chunk = chunkOf(source, name);
  return chunk.text.slice(0, chunk.signatureEnd);
}

function doc(name: string): string | null {
  const chunk = chunkOf(source, name);
  return chunk.doc && chunk.text.slice(...chunk.doc);
}

test('texts: a function is its lines with its decorators', () => {
  assert.equal(
    text('area'),
    dedent`
      @cache
      def area(
          width: int,
      ) -> int:  # metres
          '''The area.

          In metres.
          '''
          return width * width
    `,
  );
});

test('texts: a method follows the header of its class', () => {
  assert.equal(
    text('Shape.area'),
    dedent`
      class Shape(
          Base,
      ):
          def area(
              self,
          ):
              "No corners, no area."
              return self.corners
    `,
  );
});

test('texts: a method of a nested class follows all headers', () => {
  assert.equal(
    text('Shape.Kind.is_round'),
    dedent`
      class Shape(
          Base,
      ):
          class Kind(Enum):
              def is_round(self):
                  return True
    `,
  );
});

test('texts: a method under a condition is indented like any other', () => {
  assert.match(text('Shape.dump'), /\n {4}def dump\(self\): print\(self\)\n$/);
});

test('texts: a class is its statements, its constructor and the first lines of its other members', () => {
  assert.equal(
    text('Shape'),
    dedent`
      @dataclass
      class Shape(
          Base,
      ):
          """A shape."""
          corners: int = 4
          if DEBUG:
          def __init__(self, corners):

              self.corners = corners
          def dump(self): print(self) ...
          def area( ...
          def name(self): ...
          class Kind(Enum): ...
    `,
  );
});

test('texts: the module contains the lines outside any definition', () => {
  assert.equal(
    text('<module>'),
    dedent`
      """About the module."""
      # A comment.
      import os

      LIMIT = 3

      print(LIMIT)
    `,
  );
});

test('texts: a signature ends with the header', () => {
  assert.equal(signature('area'), '@cache\ndef area(\n    width: int,\n) -> int:  # metres');
  assert.equal(
    signature('Shape.area'),
    'class Shape(\n    Base,\n):\n    def area(\n        self,\n    ):',
  );
  assert.equal(signature('Shape'), '@dataclass\nclass Shape(\n    Base,\n):');
  assert.equal(signature('<module>'), '');
});

test('texts: docstrings have correct offsets', () => {
  assert.equal(doc('area'), "'''The area.\n\n    In metres.\n    '''");
  assert.equal(doc('Shape'), '"""A shape."""');
  assert.equal(doc('Shape.area'), '"No corners, no area."');
  assert.equal(doc('Shape.name'), null);
  assert.equal(doc('<module>'), '"""About the module."""');
});

test("texts: do not depend on the source's indentation", () => {
  const plain =
    'class A:\n    def f(self):\n        """Doc."""\n        if x:\n            return 1\n';
  const expected = parse(plain).chunks.slice(1);
  const variants = {
    tabs: plain.replaceAll('    ', '\t'),
    'line breaks of Windows': plain.replaceAll('\n', '\r\n'),
    'trailing white space': plain.replaceAll('\n', '  \n'),
  };
  const shapes = (chunks: typeof expected) =>
    chunks.map(({ name, text }) => [name, text.replace(/^ +/gm, ' ')]);
  for (const [name, variant] of Object.entries(variants)) {
    const found = parse(variant);
    assertSound(found);
    assert.deepEqual(shapes(found.chunks.slice(1)), shapes(expected), name);
    assert.equal(found.chunks[2]!.text.slice(...found.chunks[2]!.doc!), '"""Doc."""', name);
  }
});

test('texts: a function moved under a condition keeps its text', () => {
  const before = chunkOf(parse('def f(x):\n    return x\n'), 'f');
  const after = chunkOf(parse('if a:\n  if b:\n    def f(x):\n        return x\n'), 'f');
  assert.equal(after.text, before.text);
});

test('texts: a raw or one-line docstring', () => {
  const found = parse("def f(): r\"x\"\ndef g():\n    # first\n    R'''y'''\n    return 1\n");
  assert.deepEqual(
    ['f', 'g'].map((name) => chunkOf(found, name).text.slice(...chunkOf(found, name).doc!)),
    ['r"x"', "R'''y'''"],
  );
});

test('texts: have a maximum length', () => {
  const found = parse(`def f():\n    """${'word '.repeat(MAX_CHUNK_TEXT)}"""\n    return 1\n`);
  const { text, doc } = chunkOf(found, 'f');
  assert.ok(text.length <= MAX_CHUNK_TEXT);
  assert.equal(doc, null);
});
