import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf, namesOf } from '../helpers.ts';

const index = new MemoryIndex({
  'src/cart.c': [
    { name: 'cart_total', lines: [10, 30] },
    { name: 'cart_add', lines: [40, 50] },
  ],
  'src/db/impl.cc': [
    { name: 'shop.Impl', kind: 'class', lines: [5, 9] },
    { name: 'shop.Impl.Get', kind: 'method', lines: [20, 40] },
    { name: 'shop.Impl.~Impl', kind: 'method', lines: [50, 55] },
    { name: 'shop.Impl.operator==', kind: 'method', lines: [60, 65] },
    { name: 'shop.Map', kind: 'class', lines: [70, 90] },
    { name: 'shop.Map.find', kind: 'method', lines: [71, 80] },
  ],
});

test('c: frames of gdb and lldb', () => {
  const text = `It crashes

Program received signal SIGSEGV, Segmentation fault.
#0  0x00007ffff7a42428 in raise () from /lib/x86_64-linux-gnu/libc.so.6
#1  cart_total (c=0x0, n=3) at /home/me/shop/src/cart.c:17
#2  0x0000555555555131 in shop::Impl::Get (this=0x7ffe, key=...,
    value=0x0) at ../src/db/impl.cc:33
#3  0x00 in shop::Map<std::string, int>::find(int) const (this=0x0) at src/db/impl.cc:75
  * frame #1: 0x0000000100000f60 shop\`cart_add(c=0x0) at cart.c:44:5
`;
  assert.deepEqual(framesOf(text, index), [
    'cart_total 17 src/cart.c::cart_total',
    'shop::Impl::Get 33 src/db/impl.cc::shop.Impl.Get',
    'shop::Map::find 75 src/db/impl.cc::shop.Map.find',
    'cart_add 44 src/cart.c::cart_add',
  ]);
  const { sections } = readIssue(text);
  assert.deepEqual(
    sections.map(({ kind }) => kind),
    ['title', 'prose', 'traceback'],
  );
});

test('c: a frame that matches two forms counts once', () => {
  const text = `It crashes

#0  cart_total (c=0x0) at src/cart.c:17
#1  0x0000555555555131 in cart_add (c=0x0) at src/cart.c:44
`;
  assert.deepEqual(framesOf(text, index), [
    'cart_total 17 src/cart.c::cart_total',
    'cart_add 44 src/cart.c::cart_add',
  ]);
});

test('c: frames of sanitizers and valgrind', () => {
  const text = `Overflow

==1234==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602
READ of size 4 at 0x602 thread T0
    #0 0x4f5d in shop::Impl::Get(int, char const*) /src/shop/src/db/impl.cc:33:12
    #1 0x4f5e in shop::Impl::operator==(shop::Impl const&) const src/db/impl.cc:61:3
    #2 0x4f5f in cart_total src/cart.c:12
==99==    at 0x10916B: cart_add (cart.c:41)
==99==    by 0x109187: shop::Impl::~Impl() (impl.cc:52)
`;
  assert.deepEqual(framesOf(text, index), [
    'shop::Impl::Get 33 src/db/impl.cc::shop.Impl.Get',
    'shop::Impl::operator== 61 src/db/impl.cc::shop.Impl.operator==',
    'cart_total 12 src/cart.c::cart_total',
    'cart_add 41 src/cart.c::cart_add',
    'shop::Impl::~Impl 52 src/db/impl.cc::shop.Impl.~Impl',
  ]);
});

test('c: failed assertions and errors of compilers', () => {
  const text = `Assertion

shop: src/cart.c:21: int cart_total(const cart *): Assertion \`n > 0' failed.
Assertion failed: (n > 0), function cart_add, file src/cart.c, line 45.
src/db/impl.cc:25:7: error: no member named 'x'
src/db/impl.cc:62:7: runtime error: signed integer overflow
`;
  assert.deepEqual(framesOf(text, index), [
    'cart_total 21 src/cart.c::cart_total',
    'cart_add 45 src/cart.c::cart_add',
    ' 25 src/db/impl.cc::shop.Impl.Get',
    ' 62 src/db/impl.cc::shop.Impl.operator==',
  ]);
});

test("c: errors of Visual Studio and CUDA's compiler", () => {
  const text = `It does not build
src/db/impl.cc(25): error: identifier "x" is undefined
1>C:\\shop\\src\\db\\impl.cc(62): error C2065: 'x': undeclared identifier
C:\\shop\\src\\cart.c(21,5): warning C4244: possible loss of data
C:\\shop\\src\\cart.c(45) : error C2143: syntax error
`;
  assert.deepEqual(framesOf(text, index), [
    ' 25 src/db/impl.cc::shop.Impl.Get',
    ' 62 src/db/impl.cc::shop.Impl.operator==',
    ' 21 src/cart.c::cart_total',
    ' 45 src/cart.c::cart_add',
  ]);
});

test('c: warnings and stops of the Linux kernel', () => {
  const text = `It warns
[   20.493928] WARNING: CPU: 2 PID: 3162 at src/cart.c:12 cart_total+0x1e2/0x1f0 [shop]
WARNING: at /build/linux-2.6.38/src/cart.c:47 cart_add+0x1da/0x1f0()
kernel BUG at src/cart.c:21!
Bugs happen, at src/cart.c:21 and elsewhere.
`;
  assert.deepEqual(framesOf(text, index), [
    'cart_total 12 src/cart.c::cart_total',
    'cart_add 47 src/cart.c::cart_add',
    ' 21 src/cart.c::cart_total',
  ]);
});

test('c: parentheses in template arguments are not parameters', () => {
  const text = `It crashes
    #0 0x4f5d in shop::Map<std::function<void (int)> >::find(int) const src/db/impl.cc:75:12
  * frame #1: 0x0000000100000f60 shop\`shop::Map<void (int)>::find(x=0) at impl.cc:75:5
`;
  assert.deepEqual(framesOf(text, index), [
    'shop::Map::find 75 src/db/impl.cc::shop.Map.find',
    ' 75 ',
  ]);
});

test('c: template instantiations, checks of libraries, and long signatures', () => {
  const arguments_ = 'std::__1::basic_string<char, std::__1::char_traits<char> >, '.repeat(20);
  const text = `It fails
src/db/impl.cc:25:7:   required from 'void f() [with T = int]'
[17:10:12] src/cart.c:21: Check failed: n > 0
  * frame #0: 0x000000000025a73f shop\`shop::Map<${arguments_}int>::find(x=${arguments_}) const at impl.cc:75:3
`;
  assert.deepEqual(framesOf(text, index), [
    ' 25 src/db/impl.cc::shop.Impl.Get',
    ' 21 src/cart.c::cart_total',
    'shop::Map::find 75 src/db/impl.cc::shop.Map.find',
  ]);
});

test("c: checks of glog, Windows' assertions, linkers, and assertions in templates", () => {
  const arguments_ = 'ArgumentOfTheTemplate, '.repeat(30);
  const text = `It fails
F0512 10:11:12.131415  1617 src/cart.c:21] Check failed: n > 0 (0 vs. 0)
[shop FATAL src/cart.c:45] CHECK failed: (n) < (size()):
Assertion failed: n > 0, file C:\\shop\\src\\cart.c, line 12
/home/me/src/db/impl.cc:25: undefined reference to \`shop::log(int)'
shop: src/db/impl.cc:75: int shop::Map<${arguments_}int>::find(int) const: Assertion \`n' failed.
I0512 10:11:12.131415  1617 src/cart.c:46] 3 carts
`;
  assert.deepEqual(framesOf(text, index), [
    ' 21 src/cart.c::cart_total',
    ' 45 src/cart.c::cart_add',
    ' 12 src/cart.c::cart_total',
    ' 25 src/db/impl.cc::shop.Impl.Get',
    'shop::Map::find 75 src/db/impl.cc::shop.Map.find',
  ]);
});

test('c: names as people write them', () => {
  assert.deepEqual(namesOf('T\nshop::Impl::Get() fails, as Impl::Get and cart_add do', index), [
    'shop.Impl: shop.Impl',
    'Impl.Get: shop.Impl.Get',
    'Impl: shop.Impl',
    'cart_add: cart_add',
  ]);
});
