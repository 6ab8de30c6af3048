import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindings, dedent, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('csharp');

/** Returns a class with a method of these statements. */
const inMethod = (...statements: string[]) =>
  parse(`class C {\n  void M() {\n    ${statements.join('\n    ')}\n  }\n}\n`);

test('imports and the namespace', () => {
  const { facts } = parse(dedent`
    global using System.Text;
    using System;
    using static Shop.Prices;
    using Item = Shop.Goods.Item<int>;
    using Alone = Shop;
    namespace Shop.Carts;
    class C { }
  `);
  assert.equal(facts.namespace, 'Shop.Carts');
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      ['System.Text', '*', '*'],
      ['System', '*', '*'],
      ['Shop.Prices', '*', '*'],
      ['Shop.Goods', 'Item', 'Item'],
      ['', 'Shop', 'Alone'],
      ['Shop', '*', '*'],
    ],
  );
  assert.equal(parse('namespace A.B\n{\n  class C { }\n}\n').facts.namespace, 'A.B');
});

test('calls are chains of names', () => {
  const source = inMethod(
    'Plain();',
    'Typed<int>();',
    'this.Own();',
    'base.Above();',
    'item.Price().Total(1, 2);',
    'Shop.Prices.Of<Item>(1);',
    'item?.Sell();',
    'item?.Price.Sell();',
    'item!.Sell();',
    '((Item)thing).Sell();',
    '(thing as Item).Sell();',
    '(await item.Load()).Sell();',
    '"text".Trim();',
    'items[0].Sell();',
    'nameof(item);',
  );
  assert.deepEqual(references(source, 'C.M'), [
    'call Plain',
    'call Typed',
    'call this.Own',
    'call base.Above',
    'call item.Price',
    'call item.Price().Total',
    'call Shop.Prices.Of',
    'call item.Sell',
    'call item.Price.Sell',
    'call item.Sell',
    'call Item().Sell',
    'call Item().Sell',
    'call item.Load',
    'call item.Load().Sell',
    'call ?.Sell',
  ]);
  const counts = source.facts.references.map(({ args }) => args);
  assert.deepEqual(counts.slice(4, 7), [0, 2, 1]);
});

test('constructors', () => {
  const source = inMethod(
    'new Item(1);',
    'new List<Item>();',
    'new Shop.Item();',
    'new Item { Price = 1 };',
    'Item item = new();',
  );
  assert.deepEqual(references(source, 'C.M'), [
    'call Item',
    'call List',
    'call Shop.Item',
    'call Item',
  ]);
  const derived = parse('class C : B {\n  C() : this(1) { }\n  C(int a) : base(a) { }\n}\n');
  assert.deepEqual(
    derived.facts.references.map(({ chain, args }) => [chain.join('.'), args]),
    [
      ['B', undefined],
      ['this', 1],
      ['base', 1],
    ],
  );
});

test('bases and attributes', () => {
  const source = parse(dedent`
    [Named("c"), Serializable] class C<T>(int a) : Base<T>(a), I, Shop.Priced<T> {
      [Shop.Checked(true)]
      public void M([NotNull] int a) { }
    }
    interface J : I, K<C> { }
    struct S : I { }
    record R(int A) : Shop.Priced(A);
  `);
  assert.deepEqual(references(source, 'C'), [
    'decorate Named',
    'decorate Serializable',
    'inherit Base',
    'inherit I',
    'inherit Shop.Priced',
  ]);
  assert.deepEqual(references(source, 'C.M').slice(0, 1), ['decorate Shop.Checked']);
  assert.deepEqual(references(source, 'J'), ['inherit I', 'inherit K']);
  assert.deepEqual(references(source, 'S'), ['inherit I']);
  assert.deepEqual(references(source, 'R'), ['inherit Shop.Priced']);
});

test('types of fields, properties, parameters, locals and results', () => {
  const source = parse(dedent`
    class C(Rule rule) {
      private readonly List<Item> items = new();
      Item[] some;
      int count;
      public Item? First { get; }
      public Item Last => items.Last();
      event Changed Done;
      async Task<Item> M(Item a, string b, params Item[] c) {
        var d = new Item();
        var e = await d.Price().Load();
        Shop.Item<Rule> f = null, g = null;
        foreach (Rule h in Rules()) { }
        using (var i = Open()) { }
        try { } catch (Failure j) { }
        if (a is Book k) { }
        switch (a) { case Pen { Ink: 1 } l: break; }
        prices.TryGet(out Price m);
        this.made = new Made();
      }
    }
    enum E { A, B }
  `);
  assert.deepEqual(bindings(source, 'C'), [
    'rule type Rule',
    'items type List',
    'First type Item',
    'Done type Changed',
  ]);
  assert.deepEqual(bindings(source, 'C.M'), [
    ' return Item',
    'a type Item',
    'd alias Item()',
    'e alias d.Price().Load()',
    'f type Shop.Item',
    'g type Shop.Item',
    'h type Rule',
    'i alias Open()',
    'j type Failure',
    'k type Book',
    'l type Pen',
    'm type Price',
    'this.made alias Made()',
  ]);
  assert.deepEqual(bindings(source, 'E'), ['A type E', 'B type E']);
  assert.deepEqual(source.facts.properties, [2]);
});

test('parameters and variables are local', () => {
  const source = inMethod(
    'int a = 1;',
    'F(b => b.X(), (c, d) => c.Y());',
    'a.F(); d.G(); outer.H();',
    'void Inner() { }',
    'Inner();',
  );
  assert.deepEqual(
    source.facts.locals?.map(({ names }) => names.toSorted()),
    [['Inner', 'a', 'b', 'c', 'd']],
  );
});

test('overloads are distinguished by their number of arguments', () => {
  const { facts } = parse(dedent`
    static class C {
      C() { }
      C(int a, params int[] b) { }
      void M(int a, int b = 1) { }
      static void Extends(this Item item, int a) { }
    }
  `);
  assert.deepEqual(facts.arities, [
    { scope: 2, least: 0, most: 0 },
    { scope: 3, least: 1, most: null },
    { scope: 4, least: 1, most: 2 },
    { scope: 5, least: 1, most: 2 },
  ]);
});
