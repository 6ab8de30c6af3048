import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSections } from '../../src/engine/sections/split.ts';

/** Returns the name of the only section of a document with this heading. */
const nameOf = (heading: string) => splitSections('a.md', `# ${heading}\n`)[0]?.path.join(' > ');

test('keeps what addresses reserve out of names', () => {
  const names: [string, string][] = [
    ['Shop::Cart', 'Shop:Cart'],
    ['Fixes issue #12', 'Fixes issue 12'],
    ['#1 of all', '#1 of all'],
    ['a\t\u00a0 b\u0007c', 'a b c'],
    ['<module>', 'module'],
    ['x'.repeat(100), 'x'.repeat(80)],
    [`${'x'.repeat(79)}\u{1f600}`, 'x'.repeat(79)],
    [`${'x'.repeat(77)} #1a`, `${'x'.repeat(77)} 1`],
    ['half \ud800', 'half \ufffd'],
  ];
  for (const [written, name] of names) assert.equal(nameOf(written), name);
});

test('lists a key once, without its own name and without long ones', () => {
  const text = `[a]\na = 1\nb = 1\nb = 2\n${'c'.repeat(90)} = 1\n`;
  assert.deepEqual(splitSections('a.toml', text)[0]?.keys, ['b']);
});

test('names text before the first name by its file', () => {
  const sections = splitSections('docs/a::b#2.md', 'text\n# A\n');
  assert.deepEqual(
    sections.map(({ path }) => path),
    [['a:b#2.md'], ['A']],
  );
});
