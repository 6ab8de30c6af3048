import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCli } from '../../src/cli/program.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { complete, fakeEndpoint } from '../check/fake-endpoint.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, gitRepository, removeFolder, writeFiles } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const CART = `class Cart:
    def total(self):
        """The sum of the prices of all items."""
        return sum(item.price for item in self.items)

    def clear(self):
        self.items = []
`;
const MAIL = `def send_receipt(address):
    """Send a receipt by mail."""
    deliver(address)
`;
const FIX = `--- a/shop/cart.py
+++ b/shop/cart.py
@@ -4 +4 @@
-        return sum(item.price for item in self.items)
+        return round(sum(item.price for item in self.items), 2)
--- a/tests/test_cart.py
+++ b/tests/test_cart.py
@@ -2 +2 @@
-    assert Cart().total() == 0
+    assert Cart().total() == 1
`;
const STYLE_FIX = `${FIX}--- a/ui/cart.style
+++ b/ui/cart.style
@@ -1 +1 @@
-color: red
+color: blue
--- a/CHANGES.md
+++ b/CHANGES.md
@@ -1 +1 @@
-0
+1
`;
const NEW_FILE = '--- /dev/null\n+++ b/shop/new.py\n@@ -0,0 +1 @@\n+x = 1\n';

let folder: string;
let dataset: string;
let baseCommit: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'locus-test-'));
  const root = gitRepository({
    'shop/cart.py': CART,
    'shop/mail.py': MAIL,
    'ui/cart.style': 'color: red\n',
    'tests/test_cart.py': 'def test_total():\n    assert Cart().total() == 0\n',
  });
  baseCommit = git(root, 'rev-parse', 'HEAD');
  // The commit is evaluated, not what came after it.
  writeFiles(root, { 'shop/cart.py': '', 'shop/mail.py': '' });
  git(root, 'commit', '-q', '-a', '-m', 'Everything is gone');
  renameSync(root, join(folder, 'acme__shop'));
  dataset = writeLines('issues.jsonl', [
    instance('shop-1', 'The total of a cart is not rounded', FIX, baseCommit),
    instance('shop-2', 'There is no new file', NEW_FILE, baseCommit),
    instance('shop-3', 'No such commit', FIX, '0'.repeat(40)),
    { ...instance('other-1', 'No clone', FIX, baseCommit), repo: 'acme/other' },
  ]);
});
after(() => removeFolder(folder));

function instance(instance_id: string, problem_statement: string, patch: string, base: string) {
  return { instance_id, problem_statement, patch, repo: 'acme/shop', base_commit: base };
}

function writeLines(name: string, values: unknown[]): string {
  const file = join(folder, name);
  writeFileSync(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return file;
}

async function locus(...args: string[]) {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCli(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    stdin: (async function* () {})(),
    env: { LOCUS_DATA_DIR: join(folder, 'data') },
    signal: new AbortController().signal,
    openRepository: (root, options) => openRepository(root, { ...options, device: 'cpu' }),
    diagnose: () => assert.fail('not asked for'),
  });
  return { exitCode, ...written };
}
const measure = (...args: string[]) =>
  locus('eval', '--dataset', dataset, '--repos', folder, ...args);

test('an issue is evaluated at its commit, without tests; instances that cannot be evaluated are counted', async () => {
  const { exitCode, stdout } = await measure('--json');
  assert.equal(exitCode, 0);
  const { outcomes, leftOut, all, byRepository } = JSON.parse(stdout);
  assert.equal(outcomes.length, 1);
  // Cart, total, clear and send_receipt, but not the test and the modules.
  assert.equal(outcomes[0].chunks, 4);
  assert.deepEqual(outcomes[0].edited, ['shop/cart.py::Cart.total']);
  assert.deepEqual(outcomes[0].ranks, { chunk: [1], class: [1], file: [1] });
  assert.equal(all.metrics.MRR.mean, 1);
  assert.equal(byRepository['acme/shop'].issues, 1);
  assert.deepEqual(
    leftOut.map(({ instance, reason }: Record<string, string>) => [instance, reason]),
    [
      ['shop-2', 'no edited chunk'],
      ['shop-3', 'cannot be opened'],
      ['other-1', 'no clone'],
    ],
  );
});

test('all edited files are ranked, and those that Locus does not read are counted as missed', async () => {
  const mixed = instance('shop-5', 'The total of a cart is red', STYLE_FIX, baseCommit);
  const style = { ...mixed, instance_id: 'shop-6', patch: STYLE_FIX.slice(FIX.length) };
  const other = writeLines('styles.jsonl', [mixed, style]);
  const run = (...args: string[]) =>
    locus('eval', '--dataset', other, '--repos', folder, '--fast', ...args);
  const { outcomes, files } = JSON.parse((await run('--json')).stdout);
  // An issue without an edited function counts, too.
  assert.deepEqual([outcomes.length, files.issues], [1, 2]);
  assert.deepEqual(files.outcomes[0].files, [
    { path: 'shop/cart.py', reading: 'functions', rank: 1 },
    { path: 'ui/cart.style', reading: 'not read', rank: null },
  ]);
  assert.deepEqual(files.leftOut, { test: 1, changelog: 2, tool: 0 });
  assert.equal(files.metrics['edited-file recall@5'].mean, 0.25);
  const { stdout } = await run();
  assert.match(stdout, /\| edited-file recall@5 +\| 0\.250 \|/);
  assert.match(stdout, /\| not read +\| +2 \| +2 \| +0\.000 \| +0\.000 \|/);
});

test('evaluation covers the list that users get: reranked, or the initial ranking', async (t) => {
  installSecondModel(join(folder, 'data'));
  t.after(() => removeFolder(join(folder, 'data/models')));
  const systemOf = async (...args: string[]) =>
    JSON.parse((await measure('--json', '--repo', 'acme/shop', ...args)).stdout).system;
  assert.match(await systemOf(), /^bag-1 [\d.]+, coret-1 1, ranker-1-reranked [\d.]+$/);
  assert.match(await systemOf('--fast'), /^bag-1 [\d.]+, ranker-1 [\d.]+$/);
});

test('the tables have a row for each repository and one for all', async () => {
  const { stdout } = await measure('--repo', 'acme/shop');
  assert.match(stdout, /\| acme\/shop +\| +1 \| +4 \| +1\.00 \|/);
  assert.match(stdout, /\| all +\| +1 \|/);
  assert.match(stdout, /\| file Acc@5 +\| 1\.000 \| 1\.000 to 1\.000 \|/);
  assert.match(stdout, /no edited chunk: 1 instance \(shop-2\)/);
});

test('two reports are compared, instance by instance', async () => {
  const report = JSON.parse((await measure('--json')).stdout);
  const worse = structuredClone(report);
  worse.outcomes[0].ranks.chunk = [4];
  const [before, after] = [writeLines('before.json', [worse]), writeLines('after.json', [report])];
  const { stdout } = await locus('eval', '--compare', before, after, '--json');
  const { issues, unpaired, differences } = JSON.parse(stdout);
  assert.deepEqual([issues, unpaired], [1, 0]);
  const mrr = differences.find(({ metric }: { metric: string }) => metric === 'MRR');
  assert.deepEqual([mrr.before, mrr.after, mrr.interval], [0.25, 1, [0.75, 0.75]]);
  const text = (await locus('eval', '--compare', before, after)).stdout;
  assert.match(text, /\| MRR +\| +0\.250 \| +1\.000 \| +\+0\.750 \|/);
});

test('a check is measured, and repeated from its recorded answers without a model', async () => {
  const model = await fakeEndpoint(({ chunks }, response) => {
    const id = (name: string) => chunks.findIndex((chunk) => chunk.name === name) + 1;
    const edit = ['Cart.total', 'send_receipt'].map((name) => ({ id: id(name), reason: 'Sum.' }));
    complete(response, { edit, order: [id('send_receipt'), id('Cart.total')], missing: [] });
  });
  const answers = join(folder, 'answers.jsonl');
  const options = ['--check', '--check-url', model.address, '--check-model', 'tiny'];
  const run = () =>
    measure('--json', '--repo', 'acme/shop', ...options, '--check-answers', answers);
  const { checks, outcomes } = JSON.parse((await run()).stdout);
  await model.close();
  const { fusion, before } = outcomes[0].check;
  assert.deepEqual(before.chunk, [1]);
  assert.deepEqual(fusion.order.slice(0, 2).toSorted(), fusion.order.slice(0, 2).toReversed());
  const { comparison, tokens, ...rest } = checks;
  assert.deepEqual(rest, { ceiling: 1, failed: 0, precision: 0.5, recall: 1 });
  assert.ok(tokens > 100);
  const mrr = comparison.differences.find((each: { metric: string }) => each.metric === 'MRR');
  assert.deepEqual([mrr.before, mrr.after], [1, 1 / outcomes[0].ranks.chunk[0]]);
  assert.deepEqual(JSON.parse((await run()).stdout).checks, checks);
});

test('errors of evaluation and comparison have a remedy', async () => {
  const broken = writeLines('broken.jsonl', [{ instance_id: 'x', repo: 'no-slash' }]);
  const failures = [
    [
      ['--dataset', broken, '--repos', folder],
      /broken\.jsonl, line 1, field repo: expected owner\/name/,
    ],
    [['--dataset', dataset], /--repos is missing\./],
    [['--dataset', dataset, '--repos', join(folder, 'data')], /no clone: 4/],
    [['--dataset', dataset, '--repos', folder, '--repo', 'a/b'], /no issue of a\/b.*acme\/shop/s],
    [['--compare', dataset], /two reports, but 1 were given/],
    [['--compare', dataset, dataset], /issues\.jsonl is not a report of locus eval/],
  ] as const;
  for (const [args, message] of failures) {
    const { exitCode, stderr } = await locus('eval', ...args);
    assert.equal(exitCode, 2);
    assert.match(stderr, message);
  }
});

test('an interrupted evaluation continues after the issues that it finished', async () => {
  const issues = [
    instance('shop-1', 'The total of a cart is not rounded', FIX, baseCommit),
    instance('shop-2', 'There is no new file', NEW_FILE, baseCommit),
    instance('shop-3', 'No such commit', FIX, '0'.repeat(40)),
    instance('shop-4', 'A cart cannot be cleared', STYLE_FIX, baseCommit),
  ];
  const [part, whole] = [
    writeLines('part.jsonl', issues.slice(0, 3)),
    writeLines('whole.jsonl', issues),
  ];
  const file = join(folder, 'finished.jsonl');
  const run = (data: string, ...args: string[]) =>
    locus('eval', '--dataset', data, '--repos', folder, '--fast', '--json', ...args);
  const resume = ['--resume', file];
  const listNew = (stderr: string) => stderr.match(/(?<=\d )shop-\d/g);

  assert.deepEqual(listNew((await run(part, ...resume)).stderr), ['shop-1', 'shop-2', 'shop-3']);
  const continued = await run(whole, ...resume);
  assert.match(continued.stderr, /finished\.jsonl has 2 of 4 issues\./);
  assert.deepEqual(listNew(continued.stderr), ['shop-3', 'shop-4'], 'a missing commit may appear');
  const atOnce = JSON.parse((await run(whole)).stdout);
  const resumed = JSON.parse(continued.stdout);
  const plain = ({ outcomes }: { outcomes: { seconds: unknown }[] }) =>
    outcomes.map(({ seconds: _, ...outcome }) => outcome);
  assert.deepEqual(plain(resumed), plain(atOnce));
  assert.deepEqual([resumed.files, resumed.leftOut], [atOnce.files, atOnce.leftOut]);

  truncateSync(file, statSync(file).size - 9);
  assert.deepEqual(listNew((await run(whole, ...resume)).stderr), ['shop-3', 'shop-4']);
  assert.deepEqual(listNew((await run(whole, ...resume)).stderr), ['shop-3']);

  const before = readFileSync(file, 'utf8');
  const other = await run(whole, ...resume, '--exclude', 'ui');
  assert.equal(other.exitCode, 2);
  assert.match(other.stdout, /were evaluated with another version, model or option/);
  for (const [content, message] of [
    ['{"mine": 1}', /finished\.jsonl, line 1, field setup/],
    [`${before.split('\n')[0]}\n`.replace('bag-1', 'bag-0'), /another version, model/],
  ] satisfies [string, RegExp][]) {
    writeFileSync(file, content);
    const refused = await run(whole, ...resume);
    assert.match(refused.stdout, message);
    assert.equal(readFileSync(file, 'utf8').startsWith(content), true, 'it is left alone');
  }
  assert.match((await run(whole, '--resume', folder)).stdout, /is not a regular file/);
});
