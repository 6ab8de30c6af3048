import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderBenchReport } from '../../src/cli/bench-tables.ts';
import { isLintTitle } from '../../src/engine/history/lint-title.ts';
import { findFolderArea, findPackage, findSourceRoot } from '../../src/services/bench/areas.ts';
import { drawBenchChart } from '../../src/services/bench/chart.ts';
import { divideIntoParts } from '../../src/services/bench/choose.ts';
import { buildQuery } from '../../src/services/bench/query.ts';
import type { ReplayedFix } from '../../src/services/bench/replay.ts';
import { buildBenchReport } from '../../src/services/bench/report.ts';
import { estimateShare } from '../../src/services/evaluation/statistics.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that act on a terminal
const ACTING = /[\u0000-\u0009\u000b-\u001f\u202e]/;

const fix = (path: string, more: Partial<ReplayedFix> = {}): ReplayedFix => ({
  commit: 'c0ffee',
  time: 1_600_000_000,
  title: 'Title',
  system: 'bag-1',
  edited: [`${path}::f`],
  paths: [path],
  packages: [],
  initial: [6],
  reranked: [1],
  ...more,
});

const report = (fixes: ReplayedFix[]) =>
  buildBenchReport(
    { since: 0, commits: 9, candidates: 9, isShallow: false, fixes, leftOut: { merge: 2 } },
    { repository: 'shop', areIssues: false, seed: 1 },
  );

describe('the text of a replayed commit', () => {
  const texts: [message: string, query: string][] = [
    ['Fix the cart (#12)', 'Fix the cart'],
    ['Fix the cart\n\nFixes #12, closes acme/shop#7', 'Fix the cart'],
    ['Fix the cart\n\nCloses: https://example.com/acme/shop/issues/12', 'Fix the cart'],
    ['Round totals, see GH-12 and !7 for more', 'Round totals, see  and  for more'],
    ['See the cart before it closes', 'See the cart before it closes'],
    ['Color #fff000 is 12', 'Color #fff000 is 12'],
    ['[#31] Fix it\r\n\r\n\r\n\r\nAgain', '[] Fix it\n\nAgain'],
  ];
  for (const [message, query] of texts)
    it(JSON.stringify(message), () => assert.equal(buildQuery(message, []), query));

  it('has no name that the fix introduces, but words that contain it', () => {
    const message = 'Add `round_up()` to round_up_all and total, not round_up.';
    assert.equal(buildQuery(message, ['round_up', '+']), 'Add  to round_up_all and total, not .');
  });

  it('is read in linear time', () => {
    for (const piece of ['fixes ', 'a/', '#', '[a.', 'https://x/', 'Fixes a#', '- '])
      assert.ok(buildQuery(piece.repeat(100_000), ['a']).length <= 20_000);
  });
});

describe('titles of commits that only satisfy a linter', () => {
  for (const title of [
    'style: remove trailing whitespace',
    'style(layer)!: spaces',
    'fix flake8',
    'Fix RuboCop offenses in lib',
    'Make Checkstyle happy.',
    'Clean up golangci-lint warnings from #12',
    '[Linter] fixes',
  ])
    it(title, () => assert.ok(isLintTitle(title)));
  for (const title of [
    'Fix crash in pylint',
    'Pylint fix for an invalid option',
    'Fix style of links in the sidebar menu of dark pages',
    'New style for the start page',
    'Fix errors in the linter of templates and its cache',
    'Fix warnings',
    '',
  ])
    it(`not: ${title}`, () => assert.ok(!isLintTitle(title)));
});

describe('fixes to replay', () => {
  it('are one of each part of the history, by the seed', () => {
    const all = Array.from({ length: 10 }, (_, i) => i);
    const parts = divideIntoParts(all, 3, 1);
    assert.deepEqual(
      parts.map((part) => part.toSorted()),
      [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8, 9],
      ],
    );
    assert.deepEqual(divideIntoParts(all, 3, 1), parts);
    assert.notDeepEqual(divideIntoParts(all, 3, 2), parts);
    assert.equal(divideIntoParts(all, 99, 1).length, 10);
  });
});

describe('areas', () => {
  it('are folders below the one that holds nearly all sources', () => {
    const paths = ['src/app/a/x.py', 'src/app/b/c/y.py', 'src/app/z.py'];
    assert.equal(findSourceRoot(paths), 'src/app');
    const areas = [...paths, 'tools/t.py', 'setup.py'].map((path) =>
      findFolderArea(path, 'src/app'),
    );
    assert.deepEqual(areas, ['src/app/a', 'src/app/b', 'src/app', 'tools', '.']);
    assert.equal(findSourceRoot(['a/x.py', 'b/y.py']), '');
    assert.deepEqual(
      ['a/c/x.py', 'y.py'].map((path) => findFolderArea(path, '')),
      ['a', '.'],
    );
  });

  it('are packages in a repository with several', () => {
    const packages = ['', 'packages/a', 'packages/a/b'].map((folder) => {
      return { name: `@acme/${folder}`, folder, chunks: 1 };
    });
    const path = 'packages/a/b/src/x.ts';
    assert.equal(findPackage(path, packages), '@acme/packages/a/b');
    assert.equal(findPackage('packages/ab/x.ts', packages), null);
    assert.equal(findPackage(path, packages.slice(2)), null);
    const inPackage = fix(path, { packages: ['@acme/b'] });
    assert.equal(report([inPackage, fix('old/y.ts'), fix('old/y.ts')]).arePackages, false);
    const { areas, arePackages } = report([inPackage, fix('old/y.ts')]);
    assert.equal(arePackages, true);
    assert.deepEqual(
      areas.map(({ name }) => name),
      ['@acme/b', 'old'],
    );
  });
});

describe('the report', () => {
  it('has shares of fixes with Wilson’s intervals', () => {
    const { mean, interval } = estimateShare(5, 10);
    assert.equal(mean, 0.5);
    assert.deepEqual(
      interval.map((end) => end.toFixed(4)),
      ['0.2366', '0.7634'],
    );
    assert.deepEqual(estimateShare(0, 3).interval[0], 0);
    assert.deepEqual(estimateShare(3, 3).interval[1], 1);
  });

  it('counts a list that was not reranked as it is', () => {
    const { all } = report([fix('a/x.py'), fix('a/x.py', { initial: [2, null], reranked: null })]);
    const means = (list: typeof all.initial) => list.any.map(({ mean }) => mean);
    assert.deepEqual(means(all.initial), [0, 0.5, 1]);
    assert.deepEqual(all.reranked && means(all.reranked), [0.5, 1, 1]);
    assert.equal(all.initial.all.mean, 0.5);
  });

  it('survives names that imitate columns, terminals and elements', () => {
    const hostile = ['a|b', '\u001b[2J', '<script>&"', 'x'.repeat(4000), '\u202e', 'line\nfeed'];
    const made = report(hostile.flatMap((name) => [fix(`s/${name}/x.py`), fix(`t/${name}/x.py`)]));
    const many = report(Array.from({ length: 40 }, (_, i) => fix(`area${i}/x.py`)));
    for (const shown of [made, many]) {
      const lines = renderBenchReport({ ...shown, repository: hostile.join('') });
      const table = lines.filter((line) => line.startsWith('|'));
      for (const line of table) assert.equal(line.split('|').length, 9, line);
      assert.ok(table.every((line) => line.length < 150));
      const picture = drawBenchChart({ ...shown, repository: hostile.join('') });
      for (const text of [picture, lines.join('\n')]) assert.doesNotMatch(text, ACTING);
      assert.doesNotMatch(picture, /<script|&(?!amp;|lt;|gt;|quot;)/);
      assert.ok(picture.length < 40_000);
    }
    assert.match(renderBenchReport(many).join('\n'), /^28 other areas: 28 fixes\.$/m);
  });
});
