/** Names in sentences, as users of each language write them, and the single definition of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChunkSpec, MemoryIndex } from '../search/support.ts';
import { namesOf } from './helpers.ts';

/** Every file also has another class, with a method of the same name. */
const definitions = (...names: string[]): ChunkSpec[] =>
  [...names, 'Other', 'Other.total', 'Other.Total'].map((name, n) => ({
    name,
    kind: /^\p{Lu}[^.]*$/u.test(name) ? 'class' : undefined,
    lines: [n + 1, n + 1],
  }));

const WRITTEN: Record<string, [path: string, defined: ChunkSpec[], forms: Record<string, string>]> =
  {
    Rust: [
      'src/shop/cart.rs',
      definitions('Cart', 'Cart.total', 'vec_of'),
      {
        'Cart::total': 'Cart.total',
        '`Cart::<T>::total`': 'Cart.total',
        '`Cart<T>::total()`': 'Cart.total',
        '`cart.total()`': 'Cart.total',
        '`&mut Cart`': 'Cart',
        'Cart<T>': 'Cart',
        '`Option<&Cart>`': 'Cart',
        'crate::shop::Cart': 'Cart',
        '#[derive(Cart)]': 'Cart',
        '`vec_of!`': 'vec_of',
      },
    ],
    Go: [
      'shop/cart.go',
      definitions('Cart', 'Cart.Total', 'NewCart'),
      {
        'shop.NewCart': 'NewCart',
        '`(*shop.Cart).Total`': 'Cart.Total',
        'Cart.Total': 'Cart.Total',
        '`Cart[K, V].Total`': 'Cart.Total',
        '`cart.Total()`': 'Cart.Total',
        '*Cart': 'Cart',
        '`&Cart{}`': 'Cart',
        '`[]*shop.Cart`': 'Cart',
        '`map[string]Cart`': 'Cart',
      },
    ],
    Java: [
      'src/main/java/com/shop/Cart.java',
      definitions('Cart', 'Cart.total', 'Cart.Item', 'Valid'),
      {
        'Cart#total': 'Cart.total',
        'com.shop.Cart#total(int)': 'Cart.total',
        '{@link Cart#total}': 'Cart.total',
        'Cart::total': 'Cart.total',
        Cart$Item: 'Cart.Item',
        '`Cart<K, V>#total`': 'Cart.total',
        '`cart.total()`': 'Cart.total',
        '@Valid': 'Valid',
        'List<Cart>': 'Cart',
      },
    ],
    Kotlin: [
      'src/main/kotlin/shop/Cart.kt',
      definitions('Cart', 'Cart.total', 'toCart'),
      {
        'Cart::total': 'Cart.total',
        'Cart.Companion.total': 'Cart.total',
        '`Cart<T>.total()`': 'Cart.total',
        '`cart?.total()`': 'Cart.total',
        '`cart!!.total()`': 'Cart.total',
        'String.toCart()': 'toCart',
        '`List<Cart?>`': 'Cart',
      },
    ],
    TypeScript: [
      'src/shop.ts',
      definitions('Cart', 'Cart.total', 'useCart'),
      {
        'Cart#total': 'Cart.total',
        'Cart.prototype.total': 'Cart.total',
        '`Cart<T>.total()`': 'Cart.total',
        '`cart?.total()`': 'Cart.total',
        '`cart.total`': 'Cart.total',
        '`<Cart />`': 'Cart',
        'Promise<Cart>': 'Cart',
        '@Cart()': 'Cart',
        'useCart()': 'useCart',
      },
    ],
    'C++': [
      'src/cart.cc',
      definitions('Cart', 'Cart.total', 'Cart.operator<<', 'Cart.~Cart'),
      {
        'shop::Cart::total': 'Cart.total',
        '`Cart<K, V>::total`': 'Cart.total',
        '`cart->total()`': 'Cart.total',
        '&Cart::total': 'Cart.total',
        'Cart::operator<<': 'Cart.operator<<',
        'the operator<<': 'Cart.operator<<',
        'Cart::~Cart': 'Cart.~Cart',
        'const Cart&': 'Cart',
        'std::vector<Cart>': 'Cart',
      },
    ],
    'C#': [
      'src/Shop/Cart.cs',
      definitions('Cart', 'Cart.Total', 'ValidAttribute'),
      {
        'Shop.Cart.Total': 'Cart.Total',
        '`Cart<T>.Total`': 'Cart.Total',
        '`cart?.Total()`': 'Cart.Total',
        '[Valid]': 'ValidAttribute',
        'IEnumerable<Cart>': 'Cart',
      },
    ],
    PHP: [
      'src/Shop/Cart.php',
      definitions('Cart', 'Cart.total', 'Cart.__construct'),
      {
        'Shop\\Cart::total': 'Cart.total',
        '\\Shop\\Cart::total()': 'Cart.total',
        '`$cart->total()`': 'Cart.total',
        'Cart::__construct': 'Cart.__construct',
        '\\Shop\\Cart': 'Cart',
        '#[Cart]': 'Cart',
        '?Cart': 'Cart',
      },
    ],
    Ruby: [
      'lib/cart.rb',
      definitions('Cart', 'Cart.total', 'Cart.empty?', 'Cart.save!', 'Cart.name=', 'checkout'),
      {
        'Shop::Cart#total': 'Cart.total',
        'Cart#empty? fails': 'Cart.empty?',
        '`cart.empty?`': 'Cart.empty?',
        '`save!`': 'Cart.save!',
        '`name=`': 'Cart.name=',
        'Cart#name= or': 'Cart.name=',
        '`cart&.total`': 'Cart.total',
        '`:checkout`': 'checkout',
      },
    ],
  };

for (const [language, [path, defined, forms]] of Object.entries(WRITTEN)) {
  test(`${language}: names in a sentence resolve to their definitions`, () => {
    const index = new MemoryIndex({ [path]: defined });
    for (const [form, qualifiedName] of Object.entries(forms)) {
      const last = namesOf(`It fails\nwith ${form} of late`, index).at(-1) ?? '';
      assert.equal(last.replace(/^.*: /, ''), qualifiedName, form);
    }
  });
}

test('a name after a module is a member of its folder or file', () => {
  const index = new MemoryIndex({
    'src/blocking/client.rs': [{ name: 'Client', kind: 'class' }],
    'src/wasm/client.rs': [{ name: 'Client', kind: 'class' }],
  });
  const [name] = namesOf('It fails\nin shop::blocking::Client', index);
  assert.equal(name, 'blocking.Client: Client');
  assert.equal(namesOf('It fails\nin shop::Client', index)[0], 'shop.Client: Client Client');
});

test('paths with backslashes are not names', () => {
  const index = new MemoryIndex({ 'src/Cart.php': definitions('Cart', 'shop') });
  assert.deepEqual(namesOf('It fails\nin C:\\shop\\Cart and C:\\shop\\x.php', index), []);
  const go = new MemoryIndex({ 'cart.go': definitions('Cart', 'shop') });
  assert.deepEqual(namesOf('It fails\nin \\shop\\Cart', go), []);
});
