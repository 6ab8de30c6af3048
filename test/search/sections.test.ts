/** Sections of configuration, style sheets and documentation are in a list only where the issue points to them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RankedChunk, SearchRequest } from '../../src/shared/search.ts';
import { MemoryIndex, search } from './support.ts';

const section = (name: string, line: number, text: string) => ({
  name,
  kind: 'section' as const,
  lines: [line, line + 4] as [number, number],
  text,
});

const functions = ['bake', 'knead', 'proof', 'shape', 'slice', 'weigh', 'oven'].map((name, i) => ({
  name,
  lines: [3 * i + 1, 3 * i + 3] as [number, number],
  text: `def ${name}(dough, timeout): wait for the oven and ${name} the dough`,
}));
const index = new MemoryIndex({
  'bakery/oven.py': functions,
  '.github/workflows/release.yml': [
    section('jobs.publish', 5, 'publish: timeout minutes for the oven'),
    section('jobs.test', 10, 'test: run all'),
  ],
  'setup.cfg': [section('flake8', 1, 'max-line-length = 100')],
  'web/shop.css': [section('.cart-badge', 1, 'color: red')],
  'docs/install.md': [
    section('Install', 1, 'Install the bakery with pip'),
    section('Install.Behind a proxy', 6, 'Set a proxy before you install the bakery'),
  ],
});

const list = (issue: string, request: Partial<SearchRequest> = {}): RankedChunk[] =>
  search(index, null, { issue, ...request }).results;
const listSections = (issue: string, request?: Partial<SearchRequest>) =>
  list(issue, request).flatMap(({ rank, kind, qualifiedName, path }) =>
    kind === 'section' ? [`${rank} ${path} ${qualifiedName}`] : [],
  );

describe('sections in a list', () => {
  test('an issue about code has none, whatever words they share', () => {
    assert.deepEqual(
      listSections('The oven waits forever\n\nThe timeout for the oven is ignored.'),
      [],
    );
  });

  test('a file that the title names gives its best section the first rank', () => {
    const issue = 'release.yml fails to publish\n\nThe oven is slow, so the timeout is too short.';
    assert.deepEqual(listSections(issue), ['1 .github/workflows/release.yml jobs.publish']);
  });

  test('a file that the text mentions comes after the first five, with the lines it mentions', () => {
    const issue =
      'The oven waits forever\n\nThe timeout is ignored. See .github/workflows/release.yml line 11.';
    assert.deepEqual(listSections(issue), ['6 .github/workflows/release.yml jobs.test']);
    const named = list(issue).find(({ kind }) => kind === 'section');
    assert.deepEqual(named && Object.values(named.evidence).map(({ sentence }) => sentence), [
      'the issue mentions its file `.github/workflows/release.yml`',
      null,
    ]);
  });

  test('a key or a selector in inline code is a name, unless code has it', () => {
    const about = (name: string) =>
      `The oven waits\n\nThe timeout is wrong, and so is \`${name}\`.`;
    assert.deepEqual(listSections(about('.cart-badge')), ['6 web/shop.css .cart-badge']);
    assert.deepEqual(listSections(about('[flake8]')), ['6 setup.cfg flake8']);
    assert.deepEqual(listSections(about('knead')), []);
  });

  test('the subject of the title selects one section by its words', () => {
    const issue =
      'Docs: how to install behind a proxy\n\nSet the timeout of the oven and the proxy.';
    assert.deepEqual(listSections(issue), ['6 docs/install.md Install.Behind a proxy']);
  });

  test('the other results keep their order and refer to the ranks that are shown', () => {
    const issue = 'The oven waits forever\n\nThe timeout for the dough is ignored.';
    const without = list(issue).map(({ name }) => name);
    const results = list(`${issue} See docs/install.md.`);
    const others = results.filter(({ kind }) => kind !== 'section');
    assert.deepEqual(others.map(({ name }) => name).toSorted(), without.toSorted());
    assert.deepEqual(
      results.map(({ rank }) => rank),
      results.map((_, at) => at + 1),
    );
  });

  test('filters apply, and asking for sections lists all that match', () => {
    const issue = 'Docs: install behind a proxy\n\nThe timeout of the oven.';
    assert.deepEqual(listSections(issue, { kinds: ['function'] }), []);
    assert.deepEqual(listSections(issue, { paths: ['bakery/'] }), []);
    assert.deepEqual(listSections(issue, { tests: 'exclude' }), []);
    assert.deepEqual(listSections(issue, { kinds: ['section'] }), [
      '1 docs/install.md Install.Behind a proxy',
      '2 docs/install.md Install',
      '3 .github/workflows/release.yml jobs.publish',
    ]);
  });

  test('an index without code lists sections', () => {
    const alone = new MemoryIndex({ 'README.md': [section('Setup', 1, 'Run the setup script')] });
    const { results } = search(alone, null, { issue: 'README.md: the setup script is missing' });
    assert.deepEqual(
      results.map(({ address }) => address),
      ['README.md::Setup'],
    );
  });
});
