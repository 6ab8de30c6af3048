/* Tests `npm run lab -- public-benchmarks`: the measures, the fields of published data sets, and a run on a small repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { convertInstances } from '../../lab/public-benchmarks/convert.ts';
import {
  rankPredictedChunks,
  rankPredictedFiles,
  readPredictions,
} from '../../lab/public-benchmarks/predictions.ts';
import { askQueries, rankFilesBySum } from '../../lab/public-benchmarks/semble.ts';
import { readBenchmark, type Target } from '../../lab/public-benchmarks/semble-data.ts';
import {
  computeNdcg,
  rankTargetFiles,
  rankTargetLines,
} from '../../lab/public-benchmarks/semble-metric.ts';
import { formatAnswers, formatRanks } from '../../lab/public-benchmarks/tables.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-4);
const file = (path: string): Target => ({ path, lines: null });

describe("semble's NDCG@10", () => {
  it('has the value that is computed by hand', () => {
    assert.equal(computeNdcg([1]), 1);
    // 1 / log2(3), and (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)).
    near(computeNdcg([2]), 0.63093);
    near(computeNdcg([2, 4]), 0.65092);
    near(computeNdcg([1, null]), 0.61315);
    assert.equal(computeNdcg([11]), 0);
    assert.equal(computeNdcg([]), 0);
    near(computeNdcg([1, 1]), 0.61315);
  });

  it('finds files by their whole path, and lines by the functions that have them', () => {
    const files = ['src/app.py', 'src/api/app.py'];
    assert.deepEqual(rankTargetFiles(files, [file('src/api/app.py'), file('app.py')]), [2, null]);
    const shown = [
      { path: 'a.py', startLine: 1, endLine: 4 },
      { path: 'a.py', startLine: 5, endLine: 9 },
    ];
    const lines = (first: number, last: number): Target => ({
      path: 'a.py',
      lines: { first, last },
    });
    const targets = [lines(9, 20), lines(4, 5), lines(10, 12), file('a.py')];
    assert.deepEqual(rankTargetLines(shown, targets), [2, 1, null, 1]);
  });
});

describe('the files of a list', () => {
  it('are ranked by the sum over their functions', () => {
    const results = ['a', 'b', 'b', 'b', 'c'].map((path) => ({ path }));
    // 1/2, 1/3 + 1/4 + 1/5, and 1/6.
    assert.deepEqual(rankFilesBySum(results), ['b', 'a', 'c']);
    const many = [
      ...Array.from({ length: 50 }, () => ({ path: 'a' })),
      { path: 'c' },
      { path: 'b' },
    ];
    assert.deepEqual(rankFilesBySum(many), ['a', 'c', 'b']);
  });
});

const SMALL = {
  'lib/cart.py':
    'def add_item(cart, item):\n    """Adds an item to the cart."""\n    cart.append(item)\n',
  'lib/mail.py':
    'def send_invoice(address):\n    """Sends an invoice by mail."""\n    return address\n',
  'docs/cart.py': 'def add_item_to_cart():\n    """Adds an item to the cart."""\n',
};
const ANNOTATIONS = [
  { query: 'how items are added to the cart', relevant: ['lib/cart.py'], secondary: [] },
  {
    query: 'send_invoice',
    relevant: [{ path: 'lib/mail.py', start_line: 1, end_line: 2 }],
    secondary: ['lib/gone.py'],
    category: 'symbol',
  },
  { query: 'gone', relevant: ['lib/gone.py'] },
];

describe('a run on a repository', () => {
  it('asks in the folder of the benchmark, and scores files and functions', async (t) => {
    const folder = temporaryFolder('locus-semble-test-');
    t.after(() => removeFolder(folder));
    const clone = join(folder, 'clones', 'owner__shop');
    mkdirSync(clone, { recursive: true });
    writeFiles(clone, SMALL);
    git(clone, 'init', '-q');
    git(clone, 'add', '.');
    git(clone, 'commit', '-qm', 'Add the shop');
    const revision = execFileSync('git', ['-C', clone, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
    const url = 'https://example.org/owner/shop.git';
    const shop = { name: 'shop', language: 'python', url, benchmark_root: 'lib' };
    mkdirSync(join(folder, 'annotations'));
    writeFileSync(
      join(folder, 'repos.json'),
      JSON.stringify([
        { ...shop, revision: revision.trim() },
        { ...shop, name: 'other', revision },
      ]),
    );
    writeFileSync(join(folder, 'annotations', 'shop.json'), JSON.stringify(ANNOTATIONS));
    const [only, ...others] = readBenchmark(folder);
    assert.ok(only);
    assert.deepEqual(others, [], 'a repository without queries is left out');
    assert.throws(() => readBenchmark(folder, ['nobody']), /nobody/);
    const answers = await askQueries(only.repository, only.queries, join(folder, 'clones'));
    const [first, second, third] = answers;
    assert.deepEqual(first?.initial.files[0], 'lib/cart.py');
    assert.ok(!first?.initial.files.includes('docs/cart.py'), 'only the folder is indexed');
    assert.equal(first?.category, 'architecture');
    assert.equal(first?.initial.fileNdcg, 1);
    near(second?.initial.functionNdcg ?? 0, 0.61315);
    assert.deepEqual([second?.unanswerable, third?.unanswerable], [false, true]);
    assert.match(formatAnswers(answers).join('\n'), /^\| shop +\| +3 \|/m);
  });
});

const PATCH = `diff --git a/lib/cart.py b/lib/cart.py
--- a/lib/cart.py
+++ b/lib/cart.py
@@ -1 +1 @@
-a
+b
`;

describe('instances of public benchmarks', () => {
  const instance = {
    instance_id: 'owner__shop-1',
    repo: 'owner/shop',
    base_commit: 'abc',
    problem_statement: 'Cart is empty\n\nIt is.',
    patch: PATCH,
  };

  it('are read with the fields of SWE-bench, Loc-Bench and SWE-PolyBench', () => {
    const rows = [
      { ...instance, test_patch: '', hints_text: '' },
      { ...instance, edit_functions: ['lib/cart.py:add_item'], category: 'Bug Report' },
      { ...instance, language: 'Python', modified_nodes: '["lib/cart.py->module->add_item"]' },
    ];
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    assert.deepEqual(convertInstances(text, 'rows'), [instance, instance, instance]);
  });

  it('are read with the fields of Multi-SWE-bench', () => {
    const row = {
      org: 'owner',
      repo: 'shop',
      number: 1,
      base: { label: 'owner:main', ref: 'main', sha: 'abc' },
      title: 'Fix the cart',
      resolved_issues: [{ number: 7, title: 'Cart is empty', body: 'It is.' }],
      fix_patch: PATCH,
    };
    assert.deepEqual(convertInstances(JSON.stringify(row), 'rows'), [instance]);
    assert.throws(() => convertInstances('{"org": "owner"}', 'rows'), /rows, line 1/);
  });

  it('are scored with published predictions, by the truth of Locus', () => {
    const found = {
      instance_id: instance.instance_id,
      found_files: ['lib/mail.py', 'lib/cart.py', 'lib/cart.py'],
      found_entities: ['lib/mail.py:send', 'lib/cart.py:Cart.add', 'lib/cart.py:Cart'],
    };
    const prediction = readPredictions(JSON.stringify(found), 'found').get('owner__shop-1');
    assert.deepEqual(rankPredictedFiles(instance, prediction), [2]);
    assert.deepEqual(rankPredictedFiles(instance, undefined), [null]);
    assert.equal(rankPredictedFiles({ patch: '' }, prediction), null);
    const edited = ['lib/cart.py::Cart.add', 'lib/cart.py::Cart.sum'];
    const ranks = rankPredictedChunks({ edited }, prediction);
    assert.deepEqual(ranks, { chunk: [2, null], class: [2], file: [2] });
    assert.match(formatRanks({ ours: [ranks] }).join('\n'), /^\| file Acc@3 +\| 1\.000/m);
  });
});
