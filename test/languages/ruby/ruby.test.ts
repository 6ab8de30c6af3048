import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { findLanguage } from '../../../src/engine/languages/index.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, bindings, chunkOf, outline, references } from '../../parse/helpers.ts';
import { MemoryIndex } from '../../search/support.ts';
import { assertMutationsSound, fixture, framesOf, namesOf, parserFor } from '../helpers.ts';

const parse = await parserFor('ruby');
const AWKWARD = fixture('ruby', 'awkward.rb');
const DOCS = /^(?:#|=begin)/;

test('ruby: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Shop 5-75',
    'class Shop.Inner 10-10',
    'class Shop.Cart 12-72',
    'method Shop.Cart.extra 19-19',
    'method Shop.Cart.initialize 22-28',
    'method Shop.Cart.create 30-30',
    'method Shop.Cart.make 33-35',
    'method Shop.Cart.hidden 39-39',
    'method Shop.Cart.== 42-42',
    'method Shop.Cart.[] 43-43',
    'method Shop.Cart.total= 44-50',
    'method Shop.Cart.empty? 52-52',
    'method Shop.Cart.secret 54-60',
    'method Shop.Cart.dynamic 62-64',
    'method Shop.Cart.named 65-65',
    'class Shop.Cart.Point 67-69',
    'method Shop.Cart.Point.far? 68-68',
    'class Shop.Error 74-74',
    'class Shop.Cart.Item 77-79',
    'method Shop.Cart.Item.price 78-78',
    'class Top 81-81',
    'function helper 83-83',
    'function single 85-85',
  ]);
});

test('ruby: a comment above a definition is its docstring', () => {
  const source = parse(AWKWARD);
  const docOf = (name: string) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('Shop'), '# A shop.\n# It sells.');
  assert.equal(docOf('Shop.Cart.initialize'), '# Makes one.');
  assert.equal(docOf('Shop.Cart.make'), null);
});

test('ruby: a header extends to the end of its parameters', () => {
  const { text, signatureEnd } = chunkOf(parse(AWKWARD), 'Shop.Cart.initialize');
  assert.match(text.slice(0, signatureEnd), /limit: 10\n\s*\)$/);
});

test('ruby: text with syntax errors keeps its definitions', () => {
  const source = parse(`def sound
  1
rescue StandardError
  2
end

class Torn
  def method(a, {
  end

  def whole(a)
    a
  end
end

def rest
  2
end
`);
  assertSound(source, DOCS);
  assert.ok(source.errors > 0);
  const lines = outline(source);
  for (const expected of ['function sound 1-5', 'function rest 16-18'])
    assert.ok(lines.includes(expected), lines.join(', '));
  assert.ok(
    lines.some((line) => line.includes('whole 11-13')),
    lines.join(', '),
  );
});

test('ruby: mutated sources stay valid', () => assertMutationsSound(parse, AWKWARD, DOCS));

test('ruby: references and types of attributes', () => {
  const source = parse(`class Cart < Base::Model
  include Logs
  def initialize(store)
    @items = List.new(store)
    @shelf ||= Shop::Shelf.new
    @store = store
  end

  def run(x)
    @items.add(x)
    self.log(x.name)
    refresh
    count x
    made = Shop::Item.build(x)
    made.save
    "text".upcase
    Shop::Pen.new(1).draw
  rescue Shop::Error => e
    e.detail
  end
end
`);
  assert.deepEqual(references(source, 'Cart'), ['inherit Base.Model', 'inherit Logs']);
  assert.deepEqual(references(source, 'Cart.run'), [
    'call self.items.add',
    'call x',
    'call self.log',
    'call x.name',
    'call refresh',
    'call count',
    'call x',
    'call Shop.Item.build',
    'call x',
    'call made.save',
    'call Shop.Pen',
    'call Shop.Pen.new().draw',
    'call e.detail',
  ]);
  assert.deepEqual(bindings(source, 'Cart.initialize'), [
    'self.items call List',
    'self.shelf call Shop.Shelf',
    'self.store alias store',
  ]);
  assert.deepEqual(bindings(source, 'Cart.run'), [
    'made alias Shop.Item.build()',
    'e type Shop.Error',
  ]);
});

test('ruby: files by their names; tests by the name of the file or folder', () => {
  for (const path of ['a.rb', 'lib/tasks/a.rake', 'Gemfile', 'shop.gemspec', 'config.ru'])
    assert.equal(findLanguage(path)?.name, 'ruby', path);
  for (const path of [
    'spec/cart_spec.rb',
    'test/test_cart.rb',
    'lib/spec/support.rb',
    'cart_test.rb',
  ])
    assert.equal(inferRole(path), 'test', path);
  for (const path of ['lib/cart.rb', 'lib/latest.rb', 'lib/specification.rb'])
    assert.equal(inferRole(path), 'source', path);
  assert.equal(getTestedStem('spec/cart_spec.rb'), 'cart');
});

const index = new MemoryIndex({
  'lib/shop/cart.rb': [
    { name: 'Shop.Cart', kind: 'class', lines: [3, 60] },
    { name: 'Shop.Cart.add', kind: 'method', lines: [10, 30] },
    { name: 'Shop.Cart.empty?', kind: 'method', lines: [40, 42] },
  ],
  'lib/helpers.rb': [{ name: 'total', lines: [3, 9] }],
});

test('ruby: frames of backtraces, old and new', () => {
  const text = `It fails

/srv/shop/lib/shop/cart.rb:22:in 'Shop::Cart#add': no store (Shop::NoStore)
\tfrom /srv/shop/lib/helpers.rb:5:in \`block (2 levels) in total'
\tfrom lib/shop/cart.rb:41:in 'block in Shop::Cart#empty?'
\tfrom lib/shop/cart.rb:5:in '<class:Cart>'
\tfrom lib/helpers.rb:1:in '<main>'
     # ./lib/shop/cart.rb:12:in \`rescue in add'
lib/helpers.rb:4: warning: assigned but unused variable - a
`;
  assert.deepEqual(framesOf(text, index), [
    'Shop::Cart#add 22 lib/shop/cart.rb::Shop.Cart.add',
    'total 5 lib/helpers.rb::total',
    'Shop::Cart#empty? 41 lib/shop/cart.rb::Shop.Cart.empty?',
    'Cart 5 lib/shop/cart.rb::Shop.Cart',
    '<main> 1 lib/helpers.rb::<module>',
    'add 12 lib/shop/cart.rb::Shop.Cart.add',
    ' 4 lib/helpers.rb::total',
  ]);
  assert.ok(readIssue(text).sections.some(({ kind }) => kind === 'traceback'));
});

test('ruby: an RSpec failure has a backtrace', () => {
  const text = `T

  1) Shop::Cart adds
     Failure/Error: cart.add(1)
     # ./lib/shop/cart.rb:12:in \`add'
     # ./spec/cart_spec.rb:7:in \`block (2 levels) in <top (required)>'
`;
  const [trace] = readIssue(text).sections.filter(({ kind }) => kind === 'traceback');
  assert.equal(trace?.lines.length, 2);
});

test('ruby: names as people write them', () => {
  assert.deepEqual(namesOf('T\nShop::Cart#add and Cart.add, and `empty?` of Shop::Cart', index), [
    'Shop.Cart: Shop.Cart',
    'Cart.add: Shop.Cart.add',
    'Cart: Shop.Cart',
    'empty?: Shop.Cart.empty?',
  ]);
});
