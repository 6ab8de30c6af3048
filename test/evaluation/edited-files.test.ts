/* Tests the second truth of an evaluation: all files that a fix edits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findEditedFiles,
  getFileKind,
  getLeftOutKind,
} from '../../src/services/evaluation/edited-files.ts';
import { rankFiles } from '../../src/services/evaluation/file-ranks.ts';
import { buildFileReport } from '../../src/services/evaluation/file-report.ts';
import { compareEvaluations } from '../../src/services/evaluation/report.ts';

const change = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const NOTHING_LEFT_OUT = { test: 0, changelog: 0, tool: 0 };

test('every file that existed before the fix is edited, whatever its kind', () => {
  const patch = [
    change('src/Cart.vue'),
    change('.github/workflows/ci.yml'),
    change('Dockerfile'),
    '--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    '--- /dev/null\n+++ b/src/new.py\n@@ -0,0 +1 @@\n+a\n',
    'diff --git a/from.css b/to.css\nsimilarity index 100%\nrename from from.css\nrename to to.css\n',
    'diff --git a/icon.png b/icon.png\nindex 1..2 100644\nBinary files a/icon.png and b/icon.png differ\n',
    `--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit ${'1'.repeat(40)}\n+Subproject commit ${'2'.repeat(40)}\n`,
  ].join('');
  assert.deepEqual(findEditedFiles(patch), {
    paths: ['src/Cart.vue', '.github/workflows/ci.yml', 'Dockerfile', 'old.py', 'from.css'],
    leftOut: NOTHING_LEFT_OUT,
    added: 1,
  });
});

test('tests, changelogs and files of tools are left out and counted', () => {
  const kinds = {
    test: 'tests/data.yml test/a.js pkg/cart_test.go src/cart.spec.ts conftest.py src/test/java/A.java src/java/test/A.java lib/CartTest.java Cart.Tests/A.cs core/TestCart.java e2e/cart.vue',
    changelog: 'CHANGES.txt docs/Changelog.md NEWS HISTORY.rst changelog.d/12.md RELEASE-NOTES.txt',
    tool: 'yarn.lock ui/package-lock.json go.sum vendor/a/b.go a.min.js api/cart.pb.go cart_pb2.py src/generated/A.java',
  };
  for (const [kind, paths] of Object.entries(kinds)) {
    for (const path of paths.split(' ')) assert.equal(getLeftOutKind(path), kind, path);
  }
  const counted =
    'django/test/client.py src/latest.ts src/contest.py news.py lib/history.js src/changes/list.ts package.json go.mod docs/index.md src/attestation.rs Manifest.toml docs/spec/openapi.yaml';
  for (const path of counted.split(' ')) assert.equal(getLeftOutKind(path), null, path);
  const patch = [...Object.values(kinds).flatMap((paths) => paths.split(' ')), 'a.py'];
  assert.deepEqual(findEditedFiles(patch.map(change).join('')), {
    paths: ['a.py'],
    leftOut: { test: 11, changelog: 6, tool: 8 },
    added: 0,
  });
});

test('a file has the rank of its first chunk, among files that count', () => {
  const list = ['tests/a_test.py', 'b.py', 'tests/a_test.py', 'b.py', 'docs/c.md', 'b.py', 'd.py'];
  const ranks = rankFiles(list.map((path) => ({ path })));
  assert.deepEqual(Object.fromEntries(ranks), { 'b.py': 1, 'docs/c.md': 2, 'd.py': 3 });
});

test('the kind of a file is its extension, or its name', () => {
  const kinds = ['a/B.VUE', 'Dockerfile', 'x/.env', 'a.d.ts'].map(getFileKind);
  assert.deepEqual(kinds, ['.vue', 'Dockerfile', '.env', '.ts']);
});

const outcome = (instance: string, ranks: Record<string, number | null>) => ({
  instance,
  repo: 'acme/shop',
  leftOut: { ...NOTHING_LEFT_OUT, test: 1 },
  added: 0,
  files: Object.entries(ranks).map(([path, rank]) => ({
    path,
    rank,
    reading: path.endsWith('.py') ? ('functions' as const) : ('not read' as const),
  })),
});

test('recall is a mean over issues, and over the files of each kind', () => {
  const report = buildFileReport([
    outcome('1', { 'a.py': 5, 'b.py': 7, 'c.yml': null, 'd.yml': null }),
    outcome('2', { 'e.py': 1 }),
  ]);
  const means = Object.entries(report.metrics).map(([name, { mean }]) => [name, mean]);
  assert.deepEqual(Object.fromEntries(means), {
    'edited-file recall@5': (1 / 4 + 1) / 2,
    'edited-file recall@10': (2 / 4 + 1) / 2,
    'all edited files@5': 1 / 2,
    'all edited files@10': 1 / 2,
  });
  assert.deepEqual([report.issues, report.edited, report.leftOut.test], [2, 2.5, 2]);
  assert.deepEqual(report.byKind, [
    { kind: '.py', files: 3, unread: 0, found: { first5: 2 / 3, first10: 1 } },
    { kind: '.yml', files: 2, unread: 2, found: { first5: 0, first10: 0 } },
  ]);
  assert.deepEqual(
    report.byReading.map(({ kind, files }) => [kind, files]),
    [
      ['functions', 3],
      ['other chunks', 0],
      ['not read', 2],
    ],
  );
});

test('versions that disagree about the edited functions of an issue can be compared by files', () => {
  const ranks = (rank: number) => ({ chunk: [rank], class: [rank], file: [rank] });
  const report = (extra: string[], rank: number | null) => ({
    outcomes: [
      { instance: '1', edited: ['a.py::f'], ranks: ranks(1) },
      { instance: '2', edited: ['e.py::f', ...extra], ranks: ranks(1) },
    ],
    files: { outcomes: [outcome('2', { 'e.py': 1, 'c.vue': rank })] },
  });
  const { files, ...chunks } = compareEvaluations(report([], null), report(['c.vue::g'], 4));
  assert.deepEqual([chunks.issues, chunks.disagreeing, chunks.unpaired], [1, 1, 0]);
  assert.deepEqual(
    files?.differences.map(({ metric, before, after }) => [metric, before, after]),
    [
      ['edited-file recall@5', 0.5, 1],
      ['edited-file recall@10', 0.5, 1],
      ['all edited files@5', 0, 1],
      ['all edited files@10', 0, 1],
    ],
  );
});
