import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTerms, findRefusedWords, readRefusedWords } from '../../scripts/prose/glossary.ts';
import {
  countWords,
  findChangelogFaults,
  findDeadLinks,
  findMissingPaths,
  stripCode,
} from '../../scripts/prose/markdown.ts';
import {
  findDocstringFaults,
  findMessageFaults,
  listExports,
  listTexts,
  parseSource,
} from '../../scripts/prose/source.ts';

const GLOSSARY = `
| word | meaning | not |
|---|---|---|
| chunk | unit that is ranked | slot |
| rerank (**UI**) | order again | **refine**, read |
`;

describe('the linter for prose', () => {
  test('refuses docstrings that start with a question word', () => {
    const open = '/**';
    const code = `${open} What it does. */\nfunction a() {}\n\n${open}\n * Whether it is.\n */\nconst b = 1;\n`;
    assert.deepEqual(
      findDocstringFaults(code).map(({ line }) => line),
      [1, 4],
    );
    assert.deepEqual(findDocstringFaults('/** Returns what it does. */'), []);
    assert.deepEqual(findDocstringFaults('/** Whatever is left. */'), []);
  });

  test('refuses errors that are not full sentences', () => {
    const code = [
      "throw badInput('the folder is none', 'Choose another folder.');",
      "throw new LocusError('busy', `$" + "{name} is in use.`, 'wait');",
      "throw badInput('The folder is missing.', `Create $" + '{folder}`);',
    ].join('\n');
    assert.deepEqual(
      findMessageFaults(parseSource(code), code).map(({ line }) => line),
      [1, 2],
    );
  });

  test('lists exported functions and types, and no constants', () => {
    const code = [
      'export async function load(): Promise<void> {}',
      'export const rowsOf = (list: List) => list.rows;',
      'export const MAX_ROWS = 3;',
      'export interface List {}',
      'interface Inner {}',
    ].join('\n');
    assert.deepEqual(
      listExports(code).map(({ kind, name }) => `${kind} ${name}`),
      ['function load', 'function rowsOf', 'type List'],
    );
  });

  test('lists texts of JSX and strings, and no code', () => {
    const code = "const a = <p title=\"A title\">Some {'more text'}</p>; const key = 'a-key';";
    assert.deepEqual(listTexts(parseSource(code, { tsx: true })).sort(), [
      'A title',
      'Some ',
      'more text',
    ]);
  });

  test('refuses the bold words of the glossary, and names the one to use', () => {
    const refused = readRefusedWords(GLOSSARY);
    assert.deepEqual(refused, [{ word: 'refine', use: 'rerank' }]);
    assert.equal(countTerms(GLOSSARY), 2);
    assert.equal(findRefusedWords('Refines the list', refused).length, 1);
    assert.equal(findRefusedWords('Refinery, unrefine', refused).length, 0);
  });

  test('refuses long lines of the changelog, and lines without a full stop', () => {
    const long = `- ${'word '.repeat(26)}end.`;
    assert.equal(findChangelogFaults(`# Changelog\n${long}\n- No full stop\n- Good.\n`).length, 2);
  });

  test('finds links to missing files and headings', () => {
    const pages: Record<string, string> = { 'b.md': '# Two words, and `code`\n' };
    const page = [
      '[a](b.md) [b](b.md#two-words-and-code) [c](https://example.com/x) [d](#here)',
      '# Here',
      '[e](missing.md) [f](b.md#three) `[g](h.md)`',
    ].join('\n');
    assert.deepEqual(
      findDeadLinks(page, (path) => pages[path] ?? null),
      ['missing.md', 'b.md#three'],
    );
  });

  test('finds paths of the project that do not exist', () => {
    const page =
      '`engine/graph` uses `src/base/retry.ts` and `services/gone`, like `https://a.b/c`.';
    const files = new Set(['src/engine/graph', 'src/base/retry.ts']);
    assert.deepEqual(
      findMissingPaths(page, (path) => files.has(path)),
      ['services/gone'],
    );
  });

  test('counts the words of a page, without its code', () => {
    const page = '# One title\n\n```sh\nlocus search\n```\n\nTwo `code` [words](a/b.md).\n';
    assert.equal(countWords(stripCode(page)), 4);
  });
});
