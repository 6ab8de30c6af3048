import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf, namesOf } from '../helpers.ts';

const index = new MemoryIndex({
  'shop/cart.go': [
    { name: 'Cart', kind: 'class', lines: [5, 9] },
    { name: 'Cart.Total', lines: [11, 20] },
    { name: 'Sum', lines: [22, 30] },
    { name: 'Each', lines: [32, 40] },
  ],
  'shop/cart_test.go': [{ name: 'TestTotal', lines: [8, 20] }],
  'cmd/shop/main.go': [{ name: 'main', lines: [10, 20] }],
});

const PANIC = `Totals crash

panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
example.com/me/shop.(*Cart).Total(0xc000014180, {0x1, 0x2})
	/home/me/go/src/example.com/me/shop/cart.go:14 +0x1d
example.com/me/shop.Sum[...](0x0?, 0x1)
	/home/me/shop/cart.go:25
example.com/me/shop.Each.func1.2()
	/home/me/shop/cart.go:34 +0x40
main.main()
	/home/me/cmd/shop/main.go:12 +0x25
created by net/http.(*Server).Serve in goroutine 1
	/usr/local/go/src/net/http/server.go:3086 +0x5cb
exit status 2
`;

test('go: frames of a panic name their functions', () => {
  assert.deepEqual(framesOf(PANIC, index), [
    'Total 14 shop/cart.go::Cart.Total',
    'Sum 25 shop/cart.go::Sum',
    'Each 34 shop/cart.go::Each',
    'main 12 cmd/shop/main.go::main',
    'Serve 3086 ',
  ]);
});

test('go: output of the race detector is a trace', () => {
  const text = `Totals race

==================
WARNING: DATA RACE
Write at 0x00c00012c008 by goroutine 8:
  example.com/me/shop.(*Cart).Total()
      /home/me/shop/cart.go:14 +0x44

Previous read at 0x00c00012c008 by goroutine 7:
  example.com/me/shop.Each.func1()
      /home/me/shop/cart.go:34 +0x40

Goroutine 8 (running) created at:
  main.main()
      /home/me/cmd/shop/main.go:12 +0x25
==================
`;
  assert.deepEqual(framesOf(text, index), [
    'Total 14 shop/cart.go::Cart.Total',
    'Each 34 shop/cart.go::Each',
    'main 12 cmd/shop/main.go::main',
  ]);
  const traces = readIssue(text).sections.filter(({ kind }) => kind === 'traceback');
  assert.deepEqual(
    traces.map((trace) => trace.text.trim().split('\n').length),
    [13],
  );
});

test('go: a trace may be indented, as in a log', () => {
  const log = `T
E0123 12:33:29.270214       1 panic.go:262] "Observed a panic" stacktrace=<
        goroutine 1 [running]:
${' '.repeat(16)}example.com/me/shop.(*Cart).Total(0xc000014180)
${' '.repeat(24)}/home/me/shop/cart.go:14 +0x1d
 >
`;
  assert.deepEqual(framesOf(log, index), ['Total 14 shop/cart.go::Cart.Total']);
});

test('go: a failed test and a compiler error have a location', () => {
  const text = `Test fails
--- FAIL: TestTotal (0.00s)
    shop/cart_test.go:12: got 3, want 4
FAIL
# example.com/me/shop
./shop/cart.go:13:2: undefined: price
`;
  assert.deepEqual(framesOf(text, index), [
    ' 12 shop/cart_test.go::TestTotal',
    ' 13 shop/cart.go::Cart.Total',
  ]);
});

test('go: traces, code and versions are distinguished', () => {
  const { sections } = readIssue(
    `${PANIC}\nfunc (c *Cart) Total(prices []int) int {\n\treturn 0\n\ngo version go1.21.3 linux/amd64\n`,
  );
  const lines = (kind: string) =>
    sections.filter((section) => section.kind === kind).map(({ text }) => text.trim());
  assert.equal(lines('traceback').length, 1);
  assert.match(lines('traceback')[0] ?? '', /^panic: runtime.*exit status 2$/s);
  assert.deepEqual(lines('code'), ['func (c *Cart) Total(prices []int) int {\n\treturn 0']);
  assert.deepEqual(lines('noise'), ['go version go1.21.3 linux/amd64']);
});

test('go: names as people write them', () => {
  assert.deepEqual(namesOf('It is shop.Sum, (*Cart).Total or Cart.Total.', index), [
    'shop.Sum: Sum',
    'Cart: Cart',
    'Cart.Total: Cart.Total',
  ]);
});

test('go: roles of files', () => {
  const roles = {
    test: ['shop/cart_test.go', 'shop/testdata/a.go', 'test/e2e/run.go'],
    source: ['shop/cart.go', 'shop/testing.go', 'test.go', 'latest.go'],
    example: ['examples/basic/main.go'],
  };
  for (const [role, paths] of Object.entries(roles))
    for (const path of paths) assert.equal(inferRole(path), role, path);
  assert.equal(getTestedStem('shop/cart_test.go'), 'cart');
});
