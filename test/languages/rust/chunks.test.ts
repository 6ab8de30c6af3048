import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, chunkOf, outline } from '../../parse/helpers.ts';
import { assertMutationsSound, fixture, parserFor } from '../helpers.ts';

const parse = await parserFor('rust');
const AWKWARD = fixture('rust', 'awkward.rs');
const DOCS = /^\/[/*]/;

test('rust: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Shape 8-23',
    'class Unit 25-25',
    'class Tuple 26-26',
    'class Bits 28-31',
    'class Color 33-37',
    'class Draw 39-49',
    'method Draw.draw 43-44',
    'method Draw.twice 46-48',
    'class Shape#2 51-75',
    'method Shape.new 54-62',
    'method Shape.area 64-74',
    'class Shape#3 77-81',
    'method Shape.fmt 78-80',
    'class Deep 83-83',
    'class T 84-84',
    'class Draw#2 85-87',
    'method Draw.draw#2 86-86',
    'class Draw#3 88-90',
    'method Draw.on_object 89-89',
    'function square 92-96',
    'class inner.Deep 101-103',
    'function inner.more.deepest 106-106',
    'function foreign 111-111',
    'function exported 114-114',
    'function tests.works 120-123',
    'function a 126-126',
    'function b 126-126',
  ]);
});

test('rust: comments and attributes above a definition belong to it', () => {
  const source = parse(AWKWARD);
  const docOf = (name: string) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('Shape'), '/// A shape has an area.\n///\n/// It may be drawn.');
  assert.equal(docOf('Draw.draw')?.trim(), '/// Must be there.');
  assert.equal(docOf('Shape.new')?.trim(), '/** Makes one. */');
  assert.equal(docOf('Unit'), null);
  assert.equal(docOf('inner.Deep'), null);
  assert.equal(
    chunkOf(source, 'Shape.new').text,
    [
      "impl<'a, T: Draw> Shape<'a, T> {",
      '    #[inline]',
      "    pub const fn new(inner: &'a T) -> Self {",
      '    /** Makes one. */',
      '        struct Local;',
      '        fn helper() -> i32 {',
      '            1',
      '        }',
      '        Self { side: 1.0, inner }',
      '    }',
    ].join('\n'),
  );
});

test('rust: the text of a trait has its methods, that of an enum its variants', () => {
  const source = parse(AWKWARD);
  assert.equal(
    chunkOf(source, 'Draw').text,
    [
      'pub trait Draw: fmt::Debug + Sized {',
      '    type Output;',
      "    const NAME: &'static str;",
      '    fn draw(&self) -> Self::Output;',
      '    fn twice(&self) -> (Self::Output, Self::Output);',
    ].join('\n'),
  );
  assert.match(chunkOf(source, 'Color').text, /Red,\n {4}Custom \{ r: u8, g: u8 \},\n {4}Named/);
});

test('rust: what is under cfg(test), and functions with a test attribute, are test code', () => {
  const { chunks } = parse(`pub fn total() {}
#[cfg(all(test, unix))]
pub(crate) mod tests {
    struct Fixture;
    impl Fixture {
        fn new() -> Self { Fixture }
    }
    #[test]
    fn adds() {}
}
/// Doc.
#[tokio::test(flavor = "multi_thread")]
async fn waits() {}
#[cfg(not(test))]
fn latest() {}
`);
  const tests = chunks.filter(({ isTest }) => isTest).map(({ qualifiedName }) => qualifiedName);
  assert.deepEqual(tests, [
    'tests.Fixture',
    'tests.Fixture',
    'tests.Fixture.new',
    'tests.adds',
    'waits',
  ]);
});

test('rust: items in a macro are definitions', () => {
  const source = parse(`cfg_rt! {
    /// Spawns.
    pub fn spawn() { run(); }

    impl Runtime {
        cfg_fs! {
            pub fn open(&self) {}
        }
    }
}
doc! {macro_rules! select {
    ($(biased;)? $($future:expr),*) => { unimplemented!() }
}}
pin_project! {
    pub struct Join {
        #[pin]
        inner: u8,
    }
}
lazy_static! {
    static ref NAMES: Vec<u8> = vec![];
}
bitflags! {
    pub struct Flags: u32 {
        const A = 1;
    }
}
fn generate() {
    quote! {
        fn none() {}
    }
}
define! {
    fn $name() {}
}
`);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'function spawn 2-3',
    'class Runtime 5-9',
    'method Runtime.open 7-7',
    'function select 11-13',
    'class Join 15-18',
    'function generate 28-32',
  ]);
  assert.ok(source.facts.references.some(({ chain, scope }) => chain[0] === 'run' && scope === 1));
});

test('rust: text with syntax errors keeps its definitions', () => {
  const source = parse(`fn sound() -> i32 {
    1
}

fn torn(a: i32 {
    if a > {
}

impl fmt::Display for Whole {
    pub(crate) fn method(&self) {
        self.a
    }
}

struct After {
    a: i32,
}
`);
  assertSound(source, DOCS);
  assert.ok(source.errors > 0);
  const lines = outline(source);
  for (const expected of [
    'function sound 1-3',
    'class Whole 9-13',
    'method Whole.method 10-12',
    'class After 15-17',
  ])
    assert.ok(lines.includes(expected), lines.join(', '));
});

test('rust: mutated sources stay valid', () => assertMutationsSound(parse, AWKWARD, DOCS));
