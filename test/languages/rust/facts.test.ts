import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypeName } from '../../../src/engine/languages/rust/type-names.ts';
import { bindings, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('rust');

test('rust: types are reduced to the class whose methods are called', () => {
  const names = {
    T: 'T',
    "&'a mut a::T": 'a.T',
    '*const T': 'T',
    'Box<dyn Draw + Send>': 'Draw',
    'Option<Box<T>>': 'T',
    'io::Result<T>': 'T',
    'Result<Self, Error>': 'Self',
    "Cow<'a, T>": 'T',
    'impl Draw + Send': 'Draw',
    'Vec<T>': 'Vec',
    'Pair<K, V>': 'Pair',
    Result: 'Result',
    'Result<()>': null,
    '(A, B)': null,
    '[T; 4]': null,
    'fn(i32) -> T': null,
    "for<'a> Fn(&'a T)": null,
    '!': null,
  };
  for (const [type, name] of Object.entries(names))
    assert.equal(readTypeName(type)?.name ?? null, name, type);
});

test('rust: imports, however they are grouped', () => {
  const { facts } = parse(`use a;
use crate::b::{self, c as d, e::{f, g::{h, i::*}}};
use {j::k, l};
use super::m as n;
pub use self::o::P;
extern crate q as r;
mod s;
mod t {
    use super::*;
    fn inside() {}
}
`);
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      // The macros of the crate.
      ['macro', '*', '*'],
      ['a', null, 'a'],
      ['crate', 'b', 'b'],
      ['crate::b', 'c', 'd'],
      ['crate::b::e', 'f', 'f'],
      ['crate::b::e::g', 'h', 'h'],
      ['crate::b::e::g::i', '*', '*'],
      ['j', 'k', 'k'],
      ['l', null, 'l'],
      ['super', 'm', 'n'],
      ['self::o', 'P', 'P'],
      ['q', null, 'r'],
      ['self::s', null, 's'],
      ['self', null, 't'],
    ],
  );
});

test('rust: parts of types, and supertraits', () => {
  const source = parse(`trait A: Base + b::C<i32> + D<T> {
    fn a();
}
impl<T> A for x::S<T> {
    fn a() {}
}
impl E {
    fn e() {}
}
impl A for (i32, i32) {
    fn a() {}
}
`);
  assert.deepEqual(references(source, 'A'), [
    'inherit Base',
    'inherit b.C',
    'inherit D',
    'inherit A',
  ]);
  assert.deepEqual(references(source, 'S'), ['inherit A']);
  assert.deepEqual(source.facts.owners, [
    { scope: 3, type: 'S' },
    { scope: 5, type: 'E' },
    { scope: 7, type: '(i32, i32)' },
  ]);
});

test('rust: references are chains of names', () => {
  const source = parse(`fn f(x: T) {
    x.a.b(1)?.c().await;
    a::b::<T>(1);
    x.collect::<Vec<_>>();
    Vec::<i32>::new();
    <S as Tr>::def();
    mac!(a);
    log::info!("x");
    let s = S { a: U::new() };
    "text".no();
    (self.g)(1);
    (&x).h();
    crate::k::l();
    f(&E::A(1));
}
`);
  assert.deepEqual(references(source, 'f'), [
    'call x.a.b',
    'call x.a.b().c',
    'call a.b',
    'call x.collect',
    'call Vec.new',
    'call S.def',
    'call mac',
    'call log.info',
    'call S',
    'call U.new',
    'call x.h',
    'call crate.k.l',
    'call f',
    'call E.A',
  ]);
});

test('rust: evidence for the types of names', () => {
  const source = parse(`type Alias = a::B;
struct S<T: Tr> {
    field: Box<T>,
}
enum E {
    One,
    Two(i32),
}
impl S {
    fn f<U>(&self, a: &A, mut b: B) -> Option<C>
    where
        U: Tr,
    {
        let d = self.make(1)?;
        let e: E = d.get();
        let g = &mut self.field;
        let h = H { a: 1 };
        if let Some(i) = self.find() {}
        if let Some(j) = &self.field {}
        match a.next() {
            Ok(k) => k,
            Err(l) => l.no(),
        }
        for m in a.all() {
            m.no();
        }
    }
}
`);
  assert.deepEqual(bindings(source), ['Alias alias a.B']);
  assert.deepEqual(bindings(source, 'S'), ['T alias Tr', 'field type T']);
  assert.deepEqual(bindings(source, 'E'), ['One alias E', 'Two alias E']);
  assert.deepEqual(bindings(source, 'S.f'), [
    ' return C',
    'a type A',
    'b type B',
    'U alias Tr',
    'd alias self.make()',
    'e type E',
    'g alias self.field',
    'h alias H()',
    'i alias self.find()',
    'j alias self.field',
    'k alias a.next()',
  ]);
  const [locals] = source.facts.locals ?? [];
  assert.deepEqual(locals?.names.toSorted(), ['a', 'd', 'l', 'm']);
});
