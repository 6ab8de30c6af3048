import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planParsing } from '../../src/engine/pipeline/parse-order.ts';

const lists = (threads: number, ...paths: string[]) =>
  planParsing(
    paths.map((path) => ({ path })),
    threads,
  ).map((list) => list.map(({ path }) => path).join(' '));

test('parse order: source before tests, in each list', () => {
  const paths = ['tests/test_a.py', 'a.py', 'tests/test_b.py', 'b.py'];
  assert.deepEqual(lists(1, ...paths), ['a.py b.py tests/test_a.py tests/test_b.py']);
  assert.deepEqual(lists(2, ...paths), ['a.py tests/test_a.py', 'b.py tests/test_b.py']);
});

test('parse order: one language after the other, split evenly', () => {
  const paths = ['1.go', '1.py', '2.go', '2.py', '3.rb', '3.go', '4.rb'];
  assert.deepEqual(lists(1, ...paths), ['1.go 2.go 3.go 1.py 2.py 3.rb 4.rb']);
  assert.deepEqual(lists(2, ...paths), ['1.go 2.go 3.go 1.py', '2.py 3.rb 4.rb']);
});

test('parse order: files whose paths share words with an issue first', () => {
  const paths = ['admin/views.py', 'http/cookie.py', 'test/cookie.py', 'http/parseCookie.py'];
  const [list = []] = planParsing(
    paths.map((path) => ({ path })),
    1,
    'Parse error: a cookie without a value',
  );
  assert.deepEqual(
    list.map(({ path }) => path),
    ['http/parseCookie.py', 'http/cookie.py', 'admin/views.py', 'test/cookie.py'],
  );
});

test('parse order: every file once, for any number of threads', () => {
  const paths = Array.from({ length: 23 }, (_, i) => `${i}.${['py', 'go', 'unknown'][i % 3]}`);
  for (const threads of [1, 2, 3, 8, 40]) {
    const all = lists(threads, ...paths).flatMap((list) => list.split(' ').filter(Boolean));
    assert.deepEqual(all.toSorted(), paths.toSorted());
  }
  assert.deepEqual(lists(4), ['', '', '', '']);
});
