import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindings, dedent, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('kotlin');

const inFunction = (...statements: string[]) =>
  parse(`fun m() {\n    ${statements.join('\n    ')}\n}\n`);

test('imports and the package', () => {
  const { facts } = parse(dedent`
    package com.shop.cart

    import com.shop.Item
    import com.shop.rates.*
    import com.shop.Rule as Law
  `);
  assert.equal(facts.namespace, 'com.shop.cart');
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      ['com.shop', 'Item', 'Item'],
      ['com.shop.rates', '*', '*'],
      ['com.shop', 'Rule', 'Law'],
    ],
  );
});

test('calls are chains of names', () => {
  const source = inFunction(
    'plain()',
    'this.own()',
    'super.above()',
    'item?.price()!!.total(1)',
    'com.shop.Prices.of(1)',
    'each { sell() }',
    'listOf<Item>(a).first()',
    '"text".trim()',
    'items[0].sell()',
    'cart plus item',
    'each(Item::sell)',
  );
  assert.deepEqual(references(source, 'm'), [
    'call plain',
    'call this.own',
    'call super.above',
    'call item.price',
    'call item.price().total',
    'call com.shop.Prices.of',
    'call each',
    'call sell',
    'call listOf',
    'call listOf().first',
    'call "".trim',
    'call ?.sell',
    'call cart.plus',
    'call each',
    'call Item.sell',
  ]);
});

test('bases and annotations', () => {
  const source = parse(dedent`
    @Named("c")
    class C<T>(a: A) : Base<T>(a), I, com.shop.Priced {
        @Test
        fun m() {}

        val rule = object : Rule<T>(), L {
            fun x() = 1
        }
    }
  `);
  assert.deepEqual(references(source, 'C'), [
    'decorate Named',
    'inherit Base',
    'inherit I',
    'inherit com.shop.Priced',
  ]);
  assert.deepEqual(references(source, 'C.m'), ['decorate Test']);
  assert.deepEqual(references(source, 'C.rule'), ['inherit Rule', 'inherit L']);
});

test('types of properties, parameters, locals and results', () => {
  const source = parse(dedent`
    class C(val rule: Rule, count: Int) {
        val items: List<Item> = listOf()
        val made = com.shop.Made(1)
        val lazily by lazy { Item() }
        fun m(a: Item?, b: (Int) -> Item): Map<Item, Rule>? {
            val c = Item()
            val d: Rule = c.price().rule()
            for (e: Item in items) { }
            try { } catch (f: Broken) { }
            this.rule = c
            each { g: Item -> g.x() }
            return null
        }
    }
    enum class E { A, B }
  `);
  assert.deepEqual(bindings(source, 'C'), [
    'rule type Rule',
    'count type Int',
    'items type List',
    'items alias listOf()',
    'made alias com.shop.Made()',
    'lazily alias Item()',
  ]);
  assert.deepEqual(bindings(source, 'C.m'), [
    ' return Map',
    'a type Item',
    'c alias Item()',
    'd type Rule',
    'd alias c.price().rule()',
    'e type Item',
    'f type Broken',
    'this.rule alias c',
    'g type Item',
  ]);
  assert.deepEqual(bindings(source, 'E'), ['A type E', 'B type E']);
});

test('extensions have a type, and companions belong to a class', () => {
  const { facts } = parse(dedent`
    fun <T> List<Cart<T>>.total() = 1
    class C {
        fun Item?.sell() {}
        companion object Key
    }
  `);
  assert.deepEqual(facts.extensions, [
    { scope: 1, type: 'List' },
    { scope: 3, type: 'Item' },
  ]);
  assert.deepEqual(facts.owners, [{ scope: 4, type: 'C' }]);
});

test('arguments and parameters are counted, including trailing lambdas and defaults', () => {
  const { facts } = parse(dedent`
    class C(val a: Int, b: Int = 1) {
        fun m(a: Int, b: Int = 1, vararg c: Int) {
            plain()
            sell(1, 2) { it }
            item.each { }
        }
        fun n(block: () -> Unit = {}) {}
    }
  `);
  assert.deepEqual(
    facts.references.map(({ chain, args }) => [chain.join('.'), args]),
    [
      ['plain', 0],
      ['sell', 3],
      ['item.each', 1],
    ],
  );
  assert.deepEqual(facts.arities, [
    { scope: 1, least: 1, most: 2 },
    { scope: 2, least: 1, most: null },
    { scope: 3, least: 0, most: 1 },
  ]);
});

test('blocks have implicit objects', () => {
  const source = inFunction(
    'cart.apply { total(); this.sell() }',
    'with(cart.first()) { total() }',
    'cart.let { it.total() }.also { each { it.sell() } }',
    'object : Rule<Int>() { fun x() { check(); list.each { a -> a.it() } } }',
  );
  const found = source.facts.references.map(({ chain, receivers = [] }) =>
    [chain.join('.'), ...receivers.map((one) => one.join('.'))].join(' of '),
  );
  assert.deepEqual(found, [
    'cart.apply',
    'total of cart',
    'cart.sell',
    'with',
    'cart.first',
    'total of cart.first()',
    'cart.let',
    'cart.total',
    'cart.let().also',
    'each',
    '?.sell',
    'check of Rule()',
    'list.each',
    'a.it',
  ]);
});
