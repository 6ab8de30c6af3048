import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { createOutline, OutlineCache } from '../../src/engine/history/outline.ts';
import { CommitReader } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import { getLanguage } from '../../src/engine/languages/index.ts';
import { Edits } from '../support/edits.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { commit, createRepository, readAllCommits } from './support.ts';

const COMMITS = 150;
/** Commits of a batch; small, so that there are several batches. */
const BATCH = 40;

/** Reads the history of HEAD with outlines, newest first; leaves out commits without edits of indexed files. */
async function readByOutlines(root: string, outlines?: OutlineCache): Promise<Commit[]> {
  const hashes = await listCommits(root, 'HEAD', 1_000);
  const reader = new CommitReader(root, outlines);
  const found: Commit[] = [];
  for (let start = 0; start < hashes.length; start += BATCH)
    for await (const commits of reader.read(hashes.slice(start, start + BATCH)))
      found.push(...commits);
  return found.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
}

/** Creates a history of random edits, with branches and merges. */
function editAtRandom(root: string, random: () => number): void {
  const files = new Map<string, string>();
  const edits = new Edits(files, random);
  edits.start();
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commits = Array.from({ length: COMMITS }, (_, i) => {
    if (i > 0) edits.edit();
    const isBeside = i > 3 && i % 10 === 3;
    const parents = isBeside
      ? `from :${i - 2}\n`
      : `${i === 0 ? '' : `from :${i}\n`}${i % 10 === 5 ? `merge :${i - 3}\n` : ''}`;
    const tree = [...files].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
    const head = `commit refs/heads/main\nmark :${i + 1}\ncommitter Test <test@example.com> ${1.7e9 + i} +0000\n`;
    return `${head}${data(`Edit ${i}`)}${parents}deleteall\n${tree.join('')}`;
  });
  execFileSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: root,
    input: commits.join('\n'),
  });
}

test('reads random histories with outlines like with whole files', async (t) => {
  for (let round = 0; round < scaleRounds(3); round++) {
    const root = createRepository(t, { 'a.py': '' });
    editAtRandom(root, uniform(SEED + round));
    const expected = await readAllCommits(root);
    assert.ok(expected.length > COMMITS / 2);
    assert.ok(
      expected.some(({ edits }) => edits.some(({ definitions }) => definitions.length > 1)),
    );
    assert.deepEqual(await readByOutlines(root), expected, `seed ${SEED + round}`);
    // A small cache evicts most outlines before they are needed.
    assert.deepEqual(await readByOutlines(root, new OutlineCache(20)), expected);
  }
});

/** Lines that begin, end and fill definitions. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'a.ts': [
    'class A {',
    'm() {',
    'f = () => {',
    'function g() {',
    '@dec',
    '}',
    '};',
    'x();',
    'b({',
    '}) {',
  ],
  'a.cpp': [
    'class A : B',
    'struct S {',
    'int f(int a,',
    'int g() {',
    '{',
    '}',
    '};',
    '} s;',
    'x();',
    '#define M(x) \\',
  ],
  'a.rb': [
    'class A',
    'module B',
    'def f',
    'class << self',
    'end',
    'x',
    'included do',
    '',
    '  ',
    '# end',
  ],
};

test('reads random block ends with outlines like with whole files', async (t) => {
  const random = uniform(SEED);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  for (let round = 0; round < scaleRounds(2); round++) {
    const root = createRepository(t, { 'a.py': '' });
    const files = new Map(Object.keys(LINES).map((path) => [path, [] as string[]]));
    for (let i = 0; i < 25; i++) {
      for (const [path, lines] of files) {
        const added = Array.from(
          { length: Math.floor(random() * 6) },
          () => `${'  '.repeat(Math.floor(random() * 4))}${pick(LINES[path] ?? [])}`,
        );
        lines.splice(Math.floor(random() * (lines.length + 1)), Math.floor(random() * 4), ...added);
      }
      const texts = [...files].map(([path, lines]) => [
        path,
        lines.map((line) => `${line}\n`).join(''),
      ]);
      commit(root, `Edit ${i}`, Object.fromEntries(texts));
    }
    const expected = await readAllCommits(root);
    assert.ok(expected.length > 15);
    assert.deepEqual(await readByOutlines(root), expected, `seed ${SEED}, round ${round}`);
  }
});

const FIRST = `@cache
def first():
    return 1


class Shop:
    @property
    def open(self):
        return True
`;

test('assigns a decorator to the definition below it', async (t) => {
  const root = createRepository(t, { 'shop.py': FIRST });
  const many = `${'@traced\n'.repeat(5)}def first`;
  commit(root, 'Decorate', { 'shop.py': FIRST.replace('@cache\ndef first', `@new\n${many}`) });
  commit(root, 'Decorate above', {
    'shop.py': FIRST.replace('@cache\ndef first', `@old\n${many}`),
  });
  assert.deepEqual(await readByOutlines(root), await readAllCommits(root));
  const [newest] = await readByOutlines(root);
  assert.deepEqual(newest?.edits[0]?.definitions, ['first']);
});

test('reads files in several languages, moved and binary files, and files without a final line feed', async (t) => {
  const root = createRepository(t, {
    'shop.py': FIRST,
    'shop.cs': 'class Shop\n{\n    void Open()',
  });
  commit(root, 'Move', { 'shop.py': null, 'lib/shop.py': FIRST.replace('True', 'False') });
  commit(root, 'Bytes', { 'lib/shop.py': new Uint8Array([100, 0, 10, 0]) });
  commit(root, 'Text', { 'lib/shop.py': FIRST, 'shop.cs': 'record Shop' });
  commit(root, 'Records', {
    'shop.cs': 'record Shop\nclass Other { }',
    'a.js': 'function f() {\n}\n',
  });
  commit(root, 'Script', { 'a.js': 'function f() {\n  return 1;\n}', 'lib/shop.py': `\n${FIRST}` });
  const expected = await readAllCommits(root);
  assert.equal(expected.length, 5);
  assert.deepEqual(await readByOutlines(root), expected);
});

test('outlines the lines that begin definitions, and bounds the cache of outlines', () => {
  const python = getLanguage('python');
  const outline = createOutline(python, FIRST);
  assert.deepEqual(outline.lines, [2, 6, 8]);
  assert.deepEqual(
    outline.boundaries.map(({ header, depth }) => [header?.kind, header?.name, depth]),
    [
      ['function', 'first', 0],
      ['class', 'Shop', 0],
      ['function', 'open', 4],
    ],
  );
  const outlines = new OutlineCache(5);
  outlines.put('a', python, outline);
  outlines.put('b', python, outline);
  assert.equal(outlines.take('a', python), undefined);
  assert.equal(outlines.take('b', getLanguage('javascript')), undefined);
  assert.equal(outlines.take('b', python), outline);
  assert.ok(!outlines.has('b', python));
});
