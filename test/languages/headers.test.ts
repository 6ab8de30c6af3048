/** Definitions recognized by their first lines, as in diffs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenDefinitions } from '../../src/engine/history/edited-file.ts';
import { getLanguage } from '../../src/engine/languages/index.ts';
import { readHeader } from '../../src/engine/languages/layout/header.ts';

/** Returns the open definition after each line that begins one. */
function opened(name: string, lines: readonly string[]): string[] {
  const language = getLanguage(name);
  const open = new OpenDefinitions();
  return lines.flatMap((line) => {
    const header = readHeader(language, line, 0);
    if (header) open.pass({ header, depth: language.layout.measureIndent(line, 0) });
    return header ? [open.getInnermost()] : [];
  });
}

test('go: methods have the name of their type', () => {
  const lines = [
    'func f(x int) int {',
    '	func() { run() }()',
    'type T struct {',
    'func (t *T) m() {',
    'func (Pair[K, V]) n() {',
    'func Map[T any](xs []T) {',
    'type I interface {',
  ];
  assert.deepEqual(opened('go', lines), ['f', 'T', 'T.m', 'Pair.n', 'Map', 'I']);
});

test('rust: modules and impls qualify the names of their members', () => {
  const lines = [
    'pub(crate) const unsafe extern "C" fn f() {',
    'pub struct S<T> {',
    "impl<'a, T: Tr<U>> fmt::Display for &'a S<T> {",
    '    async fn m(&self) {',
    '        fn inner() {',
    'unsafe impl Send for S {}',
    'impl S {',
    '    fn n() {',
    'mod tests {',
    '    use super::*;',
    '    fn t() {',
    '    mod deeper {',
    'macro_rules! mac {',
  ];
  assert.deepEqual(opened('rust', lines), [
    'f',
    'S',
    'S',
    'S.m',
    'S.m',
    'S',
    'S',
    'S.n',
    '<module>',
    'tests.t',
    '<module>',
    'mac',
  ]);
});
