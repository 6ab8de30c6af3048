import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLanguage } from '../../../src/engine/languages/index.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';

test('c: files are C or C++ by their names; headers are parsed as C++', () => {
  for (const path of ['a.c', 'src/A.C']) assert.equal(findLanguage(path)?.name, 'c');
  for (const path of ['a.h', 'a.cc', 'a.hpp', 'a.cxx', 'a.cu'])
    assert.equal(findLanguage(path)?.name, 'cpp');
  for (const path of ['a.o', 'c']) assert.equal(findLanguage(path), null);
});

test('c: tests are recognized by the name of the file or folder', () => {
  const tests = [
    'db/db_test.cc',
    'test-args.c',
    'src/CartTest.cpp',
    'tests/a.c',
    'lib/test/a.h',
    'unit/a.c',
  ];
  for (const path of tests) assert.equal(inferRole(path), 'test', path);
  for (const path of ['src/attest.c', 'src/latest.cc', 'src/testing.h', 'src/contest.cpp'])
    assert.equal(inferRole(path), 'source', path);
  assert.equal(inferRole('examples/simple.c'), 'example');
});

test('c: the name of a test file gives the name of the tested file', () => {
  assert.equal(getTestedStem('db/skiplist_test.cc'), 'skiplist');
  assert.equal(getTestedStem('tests/test_cart.c'), 'cart');
  assert.equal(getTestedStem('CartTest.cpp'), 'Cart');
});
