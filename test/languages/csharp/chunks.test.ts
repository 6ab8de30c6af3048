import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, chunkOf, dedent, outline } from '../../parse/helpers.ts';
import { assertMutationsSound, fixture, parserFor } from '../helpers.ts';

const parse = await parserFor('csharp');
const AWKWARD = fixture('csharp', 'awkward.cs');
const DOCS = /^(?:\/\*.*\*\/|\/\/.*)$/s;

test('every definition of an awkward file is found', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Cart 11-126',
    'method Cart.Empty 30-31',
    'method Cart.Size 33-38',
    'method Cart.Changed 41-45',
    'method Cart.this 47-50',
    'method Cart.Cart 52-52',
    'method Cart.Cart#2 54-59',
    'method Cart.Cart#3 61-64',
    'method Cart.Total 69-89',
    'method Cart.Price 93-93',
    'method Cart.Price#2 96-99',
    'method Cart.Sell 102-102',
    'method Cart.Raw 103-103',
    'method Cart.Other 103-103',
    'method Cart.Native 104-104',
    'method Cart.+ 106-109',
    'method Cart.== 110-110',
    'method Cart.int 111-111',
    'class Cart.Kind 113-119',
    'class Cart.Range 121-125',
    'method Cart.Range.Width 124-124',
    'class Cart#2 128-136',
    'class Cart.Visitor 130-130',
    'class Cart.Pair 131-134',
    'method Cart.Pair.Sum 133-133',
    'class Cart.Point 135-135',
    'class IPriced 138-143',
    'method IPriced.Raw 140-140',
    'method IPriced.Label 142-142',
    'class Nothing 145-145',
    'class Extensions 147-150',
    'method Extensions.Double 149-149',
    'class Last 152-152',
    'method Last.Only 152-152',
  ]);
});

test('a definition has its comment and its attributes', () => {
  const source = parse(AWKWARD);
  const cart = chunkOf(source, 'Cart');
  assert.equal(
    cart.text.slice(...(cart.doc ?? [])),
    '/// <summary>Puts items together.</summary>\n/// <typeparam name="T">what is sold</typeparam>',
  );
  assert.match(cart.text, /^\[Service\]\n\[Scope\(\n {4}"request"\n\)\]\npublic abstract partial/);
  const total = chunkOf(source, 'Cart.Total');
  assert.equal(total.text.slice(...(total.doc ?? [])), '// This one is for Total.');
  assert.match(total.text.slice(0, total.signatureEnd), /\[Pure\] .*where TNumber : struct\n/s);
});

test('a class shows its constructors in full', () => {
  const { text } = chunkOf(parse(AWKWARD), 'Cart');
  assert.match(text, /: base\(first\)\n {4}\{\n {8}this\.Add\(first\);\n {4}\}/);
  assert.doesNotMatch(text, /Neither/);
});

test('namespaces of either form qualify no names', () => {
  for (const text of ['namespace A.B;\nclass C { }\n', 'namespace A.B\n{\n    class C { }\n}\n'])
    assert.equal(outline(parse(text))[0]?.split(' ')[1], 'C');
});

test('functions of a program without classes are functions', () => {
  const source = parse('using System;\nGreet();\n\nvoid Greet()\n{\n    Run();\n}\n');
  assert.deepEqual(outline(source), ['function Greet 4-7']);
});

test('text with syntax errors keeps its definitions', () => {
  const source = parse(dedent`
    class Torn
    {
        int Sound(int a)
        {
            return a;
        }

        void Broken(int a) {
            if (a {
        }

        public async Task<List<int>> Whole(int a,
                                           int b) {
            return Open(a;
        }

        private Torn(
    }

    interface IRest {
        int Rest();
    }
  `);
  assertSound(source, DOCS);
  const found = outline(source);
  for (const line of [
    'class Torn 1-18',
    'method Torn.Sound 3-6',
    'method Torn.Broken 8-10',
    'method Torn.Whole 12-15',
    'class IRest 20-22',
    'method IRest.Rest 21-21',
  ])
    assert.ok(found.includes(line), `${line} in ${found.join(', ')}`);
});

test('an error elsewhere does not affect members without braces and comments after them', () => {
  const source = parse(dedent`
    class Cart
    {
        int Size() => size;

        // How much it costs.
        int Total() => total;

        void Torn( {
    }
  `);
  assert.ok(source.errors > 0);
  const [, size, total] = outline(source);
  assert.deepEqual([size, total], ['method Cart.Size 3-3', 'method Cart.Total 5-6']);
});

test('conditions inside expressions do not split a class', () => {
  const source = parse(dedent`
    class Cart
    {
        int Total() => items.Count
    #if TAXED
            + tax
    #else
            + 0
    #endif
            ;

        int Size() => 1;
    }
  `);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Cart 1-12',
    'method Cart.Total 3-9',
    'method Cart.Size 11-11',
  ]);
});

test('chunks of mutated sources are valid', () => {
  assertMutationsSound(parse, AWKWARD, DOCS);
});

test('files have their roles', () => {
  const roles = {
    test: [
      'Src/Shop.Tests/Fixtures.cs',
      'src/UnitTests/Carts/Totals.cs',
      'src/Shop.IntegrationTests/Server.cs',
      'test/Shop.Specs/Carts.cs',
      'src/Shop/CartTests.cs',
      'src/Shop/CartTest.cs',
      'src/Shop/Cart.Tests.cs',
      'src/Shop/CartSpecs.cs',
    ],
    source: [
      'src/Shop/Latest.cs',
      'src/Shop/Contest.cs',
      'src/Shop.Latest/Cart.cs',
      'src/Shop.Core/Testament.cs',
    ],
    example: ['samples/Shop/Demo.cs'],
  };
  for (const [role, paths] of Object.entries(roles))
    for (const path of paths) assert.equal(inferRole(path), role, path);
  assert.equal(getTestedStem('src/Shop.Tests/CartTests.cs'), 'Cart');
});
