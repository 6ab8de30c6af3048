import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindings, dedent, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('java');

/** Returns a class with a method of these statements. */
const inMethod = (...statements: string[]) =>
  parse(`class C {\n  void m() {\n    ${statements.join('\n    ')}\n  }\n}\n`);

test('imports and the package', () => {
  const { facts } = parse(dedent`
    package com.shop.cart;
    import java.util.*;
    import java.util.Map.Entry;
    import static com.shop.Prices.of;
    import static com.shop.Prices.*;
  `);
  assert.equal(facts.namespace, 'com.shop.cart');
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      ['java.util', '*', '*'],
      ['java.util.Map', 'Entry', 'Entry'],
      ['com.shop.Prices', 'of', 'of'],
      ['com.shop.Prices', '*', '*'],
    ],
  );
});

test('calls are chains of names', () => {
  const source = inMethod(
    'plain();',
    'this.own();',
    'super.above();',
    'C.this.outer();',
    'item.price().total(1, 2);',
    'com.shop.Prices.of(1);',
    '((Item) thing).sell();',
    '"text".length();',
    'items[0].sell();',
    'this.<Item>typed();',
  );
  assert.deepEqual(references(source, 'C.m'), [
    'call plain',
    'call this.own',
    'call super.above',
    'call C.this.outer',
    'call item.price',
    'call item.price().total',
    'call com.shop.Prices.of',
    'call Item.sell',
    'call ?.sell',
    'call this.typed',
  ]);
  const [, , , , price, total] = source.facts.references;
  assert.deepEqual([price?.args, total?.args], [0, 2]);
});

test('constructors and references to methods', () => {
  const source = inMethod(
    'new Item(1);',
    'new ArrayList<Item>();',
    'new com.shop.Item();',
    'new Map.Entry<A, B>(a, b) {};',
    'each(Item::sell);',
    'each(this::sell);',
    'each(Item::new);',
  );
  assert.deepEqual(references(source, 'C.m'), [
    'call Item',
    'call ArrayList',
    'call com.shop.Item',
    'call Map.Entry',
    'call each',
    'call Item.sell',
    'call each',
    'call this.sell',
    'call each',
    'call Item',
  ]);
});

test('bases and annotations', () => {
  const source = parse(dedent`
    @Named("c") class C<T> extends Base<T> implements I, com.shop.Priced<T> {
      @Override
      @com.shop.Checked(deep = true)
      public void m(@NotNull int a) { }
      Rule rule = new Rule() {
        int x() { return 1; }
      };
    }
    interface J extends I, K<C> { }
    enum E implements I { A }
  `);
  assert.deepEqual(references(source, 'C'), [
    'decorate Named',
    'inherit Base',
    'inherit I',
    'inherit com.shop.Priced',
  ]);
  assert.deepEqual(references(source, 'C.m'), ['decorate Override', 'decorate com.shop.Checked']);
  assert.deepEqual(references(source, 'C.rule'), ['call Rule', 'inherit Rule']);
  assert.deepEqual(references(source, 'J'), ['inherit I', 'inherit K']);
  assert.deepEqual(references(source, 'E'), ['inherit I']);
});

test('types of fields, parameters, locals and results', () => {
  const source = parse(dedent`
    class C {
      private final List<Item> items = new ArrayList<>();
      Item[] some;
      int count;
      C(Rule rule) {
        this.rule = rule;
        this.made = new com.shop.Made<>();
      }
      Optional<Item> m(Item a, String b, Item... c) throws E {
        var d = new Item();
        var e = d.price().total();
        final Map.Entry<Item, Rule> f = null, g = null;
        for (Rule h : rules()) { }
        try (Reader i = open(); var j = new Writer()) { } catch (E | F k) { }
        if (a instanceof Book l) { }
        switch (a) { case Pen n -> n.write(); default -> { } }
        return null;
      }
    }
    enum E { A, B }
  `);
  assert.deepEqual(bindings(source, 'C'), ['items type List']);
  assert.deepEqual(bindings(source, 'C.C'), [
    'rule type Rule',
    'this.rule alias rule',
    'this.made alias com.shop.Made()',
  ]);
  assert.deepEqual(bindings(source, 'C.m'), [
    ' return Optional',
    'a type Item',
    'd alias Item()',
    'e alias d.price().total()',
    'f type Map.Entry',
    'g type Map.Entry',
    'h type Rule',
    'i type Reader',
    'i alias open()',
    'j alias Writer()',
    'k type E',
    'l type Book',
    'n type Pen',
  ]);
  assert.deepEqual(bindings(source, 'E'), ['A type E', 'B type E']);
});

test('parameters and variables are local', () => {
  const source = inMethod(
    'int a = 1;',
    'f(b -> b.x(), (c, d) -> c.y());',
    'a.f(); d.g(); outer.h();',
  );
  assert.deepEqual(
    source.facts.locals?.map(({ names }) => names.toSorted()),
    [['a', 'b', 'c', 'd']],
  );
});

test('overloads are distinguished by their number of arguments', () => {
  const { facts } = parse(dedent`
    class C {
      C() { }
      C(int a, int... b) { }
      void m(int a, /* why */ int b) { }
    }
  `);
  assert.deepEqual(facts.arities, [
    { scope: 2, least: 0, most: 0 },
    { scope: 3, least: 1, most: null, types: ['int', 'int'] },
    { scope: 4, least: 2, most: 2, types: ['int', 'int'] },
  ]);
});
