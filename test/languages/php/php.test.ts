import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypeName } from '../../../src/engine/languages/php/names.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, bindings, chunkOf, outline, references } from '../../parse/helpers.ts';
import { MemoryIndex } from '../../search/support.ts';
import { assertMutationsSound, fixture, framesOf, namesOf, parserFor } from '../helpers.ts';

const parse = await parserFor('php');
const AWKWARD = fixture('php', 'awkward.php');
const DOCS = /^(?:\/[/*]|#)/;

test('php: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Shop.Base.Cart 10-48',
    'method Shop.Base.Cart.__construct 27-33',
    'method Shop.Base.Cart.count 35-43',
    'method Shop.Base.Cart.declared 45-45',
    'method Shop.Base.Cart.reference 46-46',
    'method Shop.Base.Cart.one 47-47',
    'method Shop.Base.Cart.two 47-47',
    'class Shop.Base.Shape 50-53',
    'method Shop.Base.Shape.area 52-52',
    'class Shop.Base.Logs 55-63',
    'method Shop.Base.Logs.log 57-62',
    'class Shop.Base.Suit 65-75',
    'method Shop.Base.Suit.label 69-74',
    'function Shop.Base.total 77-81',
    'function Shop.Base.handler 83-85',
    'function Shop.Base.arrow 86-87',
    'function Shop.Base.late 90-90',
    'class Shop.Base.class 93-95',
    'method Shop.Base.class.up 94-94',
    'function Shop.Base.template 98-100',
  ]);
});

test('php: a namespace without braces extends to the next one', () => {
  assert.deepEqual(outline(parse(fixture('php', 'namespaces.php'))), [
    'class A.B.One 3-3',
    'function C.two 6-6',
  ]);
  assert.deepEqual(outline(parse(fixture('php', 'braced.php'))), [
    'class A.B.One 3-3',
    'method A.B.One.f 3-3',
    'class Two 6-6',
  ]);
});

test('php: a comment above a definition and its attributes is its docstring', () => {
  const source = parse(AWKWARD);
  const docOf = (name: string) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('Shop.Base.Cart.count'), '/** Counts. */');
  assert.equal(docOf('Shop.Base.total'), '# Sums.');
  assert.equal(docOf('Shop.Base.Cart')?.split('\n')[1], ' * What is sold.');
  assert.match(
    chunkOf(source, 'Shop.Base.Cart').text,
    /^#\[Entity\(table: 'carts'\)\]\n#\[Other\]\nfinal class Cart/,
  );
});

test('php: text with syntax errors keeps its definitions', () => {
  const source = parse(`<?php
function sound()
{
    return 1;
}

class Torn
{
    public function method( {
    }

    public function whole($a)
    {
        return $a;
    }
}

function rest()
{
    return 2;
}
`);
  assertSound(source, DOCS);
  assert.ok(source.errors > 0);
  const lines = outline(source);
  for (const expected of [
    'function sound 2-5',
    'class Torn 7-16',
    'method Torn.whole 12-15',
    'function rest 18-21',
  ])
    assert.ok(lines.includes(expected), lines.join(', '));
});

test('php: mutated sources stay valid', () => assertMutationsSound(parse, AWKWARD, DOCS));

test('php: imports, the namespace, references and types', () => {
  const source = parse(`<?php
namespace App\\Foo;
use App\\Bar\\Baz;
use App\\Log\\{Logger, Writer as W};
use function App\\helper;

class Cart extends Base implements \\Countable {
    use Logs;
    private ?Baz $baz;
    public function __construct(private Logger $logger) {
        parent::__construct();
        $this->store = new W();
    }
    public function run(Item|null $item): static {
        $this->baz->go();
        self::log($item->name());
        $made = \\App\\make();
        $made->x()->y();
        helper(fn() => Baz::of());
        return new static();
    }
}
`);
  const { facts } = source;
  assert.equal(facts.namespace, 'App.Foo');
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      ['App.Bar', 'Baz', 'Baz'],
      ['App.Log', 'Logger', 'Logger'],
      ['App.Log', 'Writer', 'W'],
      ['App', 'helper', 'helper'],
    ],
  );
  assert.deepEqual(references(source, 'App.Foo.Cart'), [
    'inherit Base',
    'inherit Countable',
    'inherit Logs',
  ]);
  assert.deepEqual(references(source, 'App.Foo.Cart.__construct'), [
    'call parent.__construct',
    'call W',
  ]);
  assert.deepEqual(references(source, 'App.Foo.Cart.run'), [
    'call $this.baz.go',
    'call self.log',
    'call $item.name',
    'call App.make',
    'call $made.x',
    'call $made.x().y',
    'call helper',
    'call Baz.of',
    'call static',
  ]);
  assert.deepEqual(bindings(source, 'App.Foo.Cart'), ['baz type Baz']);
  assert.deepEqual(bindings(source, 'App.Foo.Cart.__construct'), [
    '$logger type Logger',
    '$this.logger type Logger',
    '$this.store call W',
  ]);
  assert.deepEqual(bindings(source, 'App.Foo.Cart.run'), [
    ' return static',
    '$item type Item',
    '$made alias App.make()',
  ]);
});

test('php: types are reduced to the first class in them', () => {
  const names = {
    Foo: 'Foo',
    '?Foo': 'Foo',
    'null|\\A\\Foo|Bar': 'A.Foo',
    '(A&B)|null': 'A',
    'int|string': null,
    self: 'self',
  };
  for (const [type, name] of Object.entries(names))
    assert.equal(readTypeName(type)?.name ?? null, name, type);
});

test('php: tests are recognized by the name of the file or folder', () => {
  for (const path of ['src/CartTest.php', 'tests/Cart.php', 'app/Test/Cart.php', 'test-cart.php'])
    assert.equal(inferRole(path), 'test', path);
  for (const path of ['src/Latest.php', 'src/Testing.php', 'src/Contest.php'])
    assert.equal(inferRole(path), 'source', path);
  assert.equal(getTestedStem('tests/CartTest.php'), 'Cart');
});

const index = new MemoryIndex({
  'src/Base/Cart.php': [
    { name: 'Shop.Base.Cart', kind: 'class', lines: [5, 60] },
    { name: 'Shop.Base.Cart.count', kind: 'method', lines: [10, 30] },
    { name: 'Shop.Base.Cart.add', kind: 'method', lines: [40, 50] },
  ],
  'src/helpers.php': [{ name: 'total', lines: [3, 9] }],
});

test('php: frames of traces and locations of errors', () => {
  const text = `It fails

PHP Fatal error:  Uncaught Shop\\NoStore: No store in /srv/shop/src/Base/Cart.php:22
Stack trace:
#0 /srv/shop/src/Base/Cart.php(44): Shop\\Base\\Cart->count()
#1 /srv/shop/src/helpers.php(5): Shop\\Base\\Cart->add(Object(Item), Array)
#2 {main}
  thrown in /srv/shop/src/Base/Cart.php on line 23
PHP   2. Shop\\Base\\Cart->add($a = (1)) /srv/shop/src/helpers.php:6
`;
  assert.deepEqual(framesOf(text, index), [
    ' 22 src/Base/Cart.php::Shop.Base.Cart.count',
    ' 44 src/Base/Cart.php::Shop.Base.Cart.add',
    ' 5 src/helpers.php::total',
    ' 23 src/Base/Cart.php::Shop.Base.Cart.count',
    ' 6 src/helpers.php::total',
  ]);
});

test('php: locations in type errors, logs and other traces', () => {
  const text = `It fails

PHP Fatal error:  Argument 1 passed to Shop\\Base\\Cart::count() must be an array, null given, called in /srv/shop/src/helpers.php on line 5 and defined in /srv/shop/src/Base/Cart.php:11
[2024-05-01 10:11:12] local.ERROR: No store {"exception":"[object] (Shop\\NoStore(code: 0): No store at /srv/shop/src/Base/Cart.php:22)
Exception trace:
  at phar:///usr/bin/shop.phar/src/helpers.php:4
 Shop\\Base\\Cart->add() at C:\\shop\\src\\Base\\Cart.php:44
  at Shop\\Base\\Cart->add(object(Item))
     (src/Base/Cart.php:45)
  at Shop\\Base\\Cart->count() (src/helpers.php:6)
Look at src/helpers.php, in which 5 of 10 fail.
`;
  assert.deepEqual(framesOf(text, index), [
    ' 5 src/helpers.php::total',
    ' 11 src/Base/Cart.php::Shop.Base.Cart.count',
    ' 22 src/Base/Cart.php::Shop.Base.Cart.count',
    ' 4 src/helpers.php::total',
    ' 44 src/Base/Cart.php::Shop.Base.Cart.add',
    ' 45 src/Base/Cart.php::Shop.Base.Cart.add',
    ' 6 src/helpers.php::total',
  ]);
});

test('php: names as people write them', () => {
  assert.deepEqual(
    namesOf('T\nShop\\Base\\Cart::count() differs from `Cart->add` and total()', index),
    [
      'Base.Cart: Shop.Base.Cart',
      'Cart.count: Shop.Base.Cart.count',
      'Cart: Shop.Base.Cart',
      'Cart.add: Shop.Base.Cart.add',
      'total: total',
    ],
  );
});
