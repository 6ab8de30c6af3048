import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getLanguage } from '../../../src/engine/languages/index.ts';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf, namesOf } from '../helpers.ts';

const CART = 'src/Shop/Carts/Cart.cs';
const index = new MemoryIndex({
  [CART]: [
    { name: 'Cart', kind: 'class', lines: [10, 90] },
    { name: 'Cart.Cart', kind: 'method', lines: [20, 25] },
    { name: 'Cart.Total', kind: 'method', lines: [30, 40] },
    { name: 'Cart.Count', kind: 'method', lines: [42, 44] },
    { name: 'Cart.Item', kind: 'class', lines: [50, 80] },
    { name: 'Cart.Item.Price', kind: 'method', lines: [60, 70] },
  ],
  'src/Old/Cart.cs': [{ name: 'Cart', kind: 'class', lines: [1, 90] }],
});

const TRACE = String.raw`The total of an empty cart fails

Unhandled exception. System.InvalidOperationException: no total of nothing
 ---> System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Carts.Cart.Item.Price(Int32 count, String[] names) in C:\work\shop\src\Shop\Carts\Cart.cs:line 65
   at Shop.Carts.Cart.get_Count() in C:\work\shop\src\Shop\Carts\Cart.cs:line 43
   --- End of inner exception stack trace ---
   at Shop.Carts.Cart.<>c__DisplayClass1_0.<Total>b__0(Item i) in /home/me/src/Shop/Carts/Cart.cs:line 34
   at Shop.Carts.Cart.<Total>d__3.MoveNext() in /home/me/src/Shop/Carts/Cart.cs:line 36
--- End of stack trace from previous location where exception was thrown ---
   at System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess(Task task)
   at Shop.Carts.Cart${'`'}1.Total[TNumber](TNumber start) in /home/me/src/Shop/Carts/Cart.cs:line 31
   at Shop.Carts.Cart..ctor(Item first) in /home/me/src/Shop/Carts/Cart.cs:line 22
`;

test('frames resolve to chunks by file and line', () => {
  assert.deepEqual(framesOf(TRACE, index), [
    `Price 65 ${CART}::Cart.Item.Price`,
    `Count 43 ${CART}::Cart.Count`,
    `Total 34 ${CART}::Cart.Total`,
    `Total 36 ${CART}::Cart.Total`,
    `Total 31 ${CART}::Cart.Total`,
    `Cart 22 ${CART}::Cart.Cart`,
  ]);
});

test('a stack trace is one section, with its inner exceptions', () => {
  const { sections, mentions } = readIssue(TRACE);
  assert.deepEqual(
    sections.filter(({ text }) => text.trim() !== '').map(({ kind }) => kind),
    ['title', 'traceback'],
  );
  assert.deepEqual(
    mentions.errors.map(({ text }) => text),
    ['no total of nothing', 'Object reference not set to an instance of an object.'],
  );
});

test('stack traces of Mono and Unity', () => {
  const text = `The total of an empty cart fails

System.NullReferenceException: Object reference not set to an instance of an object
  at Shop.Carts.Cart+Item.Price (System.Int32 count, System.String[] names) [0x00012] in /home/me/src/Shop/Carts/Cart.cs:65
  at Shop.Carts.Cart+<Total>d__3.MoveNext () [0x00000] in C:\\work\\src\\Shop\\Carts\\Cart.cs:36
  at Shop.Start.Main (System.String[] args) [0x00000] in <4f7e1c>:0
NullReferenceException: Object reference not set to an instance of an object
Shop.Carts.Cart.get_Count () (at src/Shop/Carts/Cart.cs:43)
Shop.Carts.Cart:Total(Int32) (at src/Shop/Carts/Cart.cs:31)
UnityEngine.GUI:Draw()
`;
  assert.deepEqual(framesOf(text, index), [
    `Price 65 ${CART}::Cart.Item.Price`,
    `Total 36 ${CART}::Cart.Total`,
    `Count 43 ${CART}::Cart.Count`,
    `Total 31 ${CART}::Cart.Total`,
  ]);
  assert.deepEqual(
    readIssue(text).sections.map(({ kind }) => kind),
    ['title', 'prose', 'traceback', 'prose'],
  );
});

test('compiler-generated code has the name of its source definition', () => {
  const { readFrame } = getLanguage('csharp').issue;
  const named = {
    'Program.<Main>$': '<Main>$',
    'Shop.Cart.<<Total>b__0_0>d.MoveNext': 'Total',
    'Shop.Cart.<Total>g__Sum|1_0': 'Total',
    'Shop.Cart..cctor': 'Cart',
    'Shop.Cart`1..ctor': 'Cart',
    'Shop.Cart+Item.set_Price': 'Price',
    'Shop.Cart.get_Item': 'this',
    'Shop.Cart.Item': 'Item',
    'Shop.Cart.Shop.IPriced.Raw': 'Raw',
  };
  for (const [method, name] of Object.entries(named))
    assert.equal(readFrame?.({ method, path: 'Cart.cs' }).name, name, method);
});

test('compiler messages have locations', () => {
  const text = String.raw`It does not compile

Carts\Cart.cs(61,9): error CS0103: The name 'x' does not exist [C:\shop\Shop.csproj]
1>/home/me/src/Shop/Carts/Cart.cs(33,5): warning CS0168: The variable is never used
`;
  assert.deepEqual(framesOf(text, index), [
    ` 61 ${CART}::Cart.Item.Price`,
    ` 33 ${CART}::Cart.Total`,
  ]);
});

test('names are found as they are written', () => {
  const names = namesOf('Broken\n\nSee Cart.Total(), Item#Price and Cart::Count.', index);
  for (const name of [
    'Cart.Total: Cart.Total',
    'Item.Price: Cart.Item.Price',
    'Cart.Count: Cart.Count',
  ])
    assert.ok(names.includes(name), `${name} in ${names.join(', ')}`);
});

test('uses in a script', () => {
  const { readScript } = getLanguage('csharp').issue;
  const { bindings, uses } = readScript(
    'using Shop.Carts;\nusing Book = Shop.Book;\nCart<Item> cart = Open();\nvar item = new Item();\ncart.Total().Round();\n',
  );
  assert.deepEqual(bindings, [
    { kind: 'open', path: ['Shop', 'Carts'] },
    { kind: 'import', local: 'Book', path: ['Shop', 'Book'] },
    { kind: 'value', local: 'cart', path: ['Cart'] },
    { kind: 'value', local: 'item', path: ['Item'] },
  ]);
  const called = uses.filter(({ isCalled }) => isCalled).map(({ path }) => path.join('.'));
  assert.deepEqual(called, ['Open', 'Item', 'cart.Total', 'Round']);
});

test('a stack trace is written as .NET prints it', () => {
  const frames = [
    { path: 'src/Shop/Program.cs', line: 3, name: 'Main', text: 'new Cart().Total();' },
    { path: CART, line: 35, name: 'Total', text: 'throw new InvalidOperationException();' },
  ];
  const written = getLanguage('csharp').traceback.write(
    frames,
    'System.InvalidOperationException: no',
  );
  assert.equal(
    written,
    [
      'Unhandled exception. System.InvalidOperationException: no',
      `   at Shop.Carts.Cart.Total() in ${CART}:line 35`,
      '   at Shop.Program.Main() in src/Shop/Program.cs:line 3',
    ].join('\n'),
  );
  assert.deepEqual(framesOf(`Fails\n\n${written}\n`, index)[0], `Total 35 ${CART}::Cart.Total`);
});
