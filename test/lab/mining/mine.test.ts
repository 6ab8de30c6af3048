import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { DEFAULTS } from '../../../lab/mining/defaults.ts';
import {
  type ChunkLine,
  type CommitLine,
  type HeaderLine,
  readTrainingData,
} from '../../../lab/mining/format.ts';
import { mine } from '../../../lab/mining/mine.ts';
import type { MineOptions } from '../../../lab/mining/options.ts';
import { createEncoder } from '../../../src/engine/encode/encoder.ts';
import { parseFixedIssues } from '../../../src/services/evaluation/fixed-issues.ts';
import { LocusError } from '../../../src/shared/errors.ts';
import { BAG_1 } from '../../encode/model-folder.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../../support/repository.ts';
import { CART, commit, FIXES, manyCommits, PRICE, shop } from './history.ts';

const OPTIONS: MineOptions = { ...DEFAULTS, name: 'test+shop' };

/** Returns a folder, which is removed after the test, with a repository. */
function setUp(t: TestContext, root: string): { root: string; file: string; folder: string } {
  const folder = temporaryFolder();
  t.after(() => {
    removeFolder(root);
    removeFolder(folder);
  });
  return { root, folder, file: join(folder, 'data.zst') };
}

async function read(file: string) {
  let header: HeaderLine | null = null;
  const chunks: ChunkLine[] = [];
  const commits: CommitLine[] = [];
  for await (const line of readTrainingData(file)) {
    if (line.kind === 'header') header = line.header;
    else if (line.kind === 'chunk') chunks.push(line.chunk);
    else commits.push(line.commit);
  }
  const nameOf = (index: number) => chunks[index][1];
  const by = (message: string) => commits.find(({ m }) => m === message)!;
  return { header: header!, chunks, commits, nameOf, by };
}

/** Folder for the shop, which is mined once for the tests that only read. */
const place = temporaryFolder();
const mined = mineShop(join(place, 'shop.zst'));
after(() => removeFolder(place));

async function mineShop(file: string) {
  const root = shop();
  try {
    return { file, report: await mine(root, file, OPTIONS) };
  } finally {
    removeFolder(root);
  }
}

test('fixes become instances; other commits are rejected and counted', async () => {
  const { file, report } = await mined;
  const { header, commits, by, nameOf } = await read(file);
  assert.deepEqual(
    commits.map(({ m }) => m),
    [FIXES.cart, FIXES.price],
  );
  assert.deepEqual(header, report.header);
  assert.equal(header.repo, 'test+shop');
  assert.equal(header.commits, 8);
  assert.deepEqual(header.rejected, {
    bot: 1,
    housekeeping: 1,
    'short message': 2,
    'no source edited': 1,
    'formatting only': 1,
  });
  const price = by(FIXES.price);
  assert.deepEqual(price.pos.map(nameOf), ['rounded']);
  assert.deepEqual(price.sib.map(nameOf), ['vat']);
  assert.ok(price.t.includes('    assert rounded(1.239) == 1.24'));
  assert.equal(price.tests, true);
  assert.deepEqual(by(FIXES.cart).t, []);
  assert.equal(by(FIXES.cart).tests, undefined);
});

test('edited chunks have the version before the commit', async () => {
  const { file } = await mined;
  const { chunks, by } = await read(file);
  const [, name, kind, text, doc, callees, , signature] = chunks[by(FIXES.price).pos[0]];
  assert.deepEqual([name, kind], ['rounded', 'f']);
  assert.match(text, /round\(amount, 1\)/);
  assert.deepEqual(doc, [1, 2]);
  assert.equal(text.split('\n')[doc![0]].trim(), '"""An amount in cents."""');
  assert.deepEqual(callees, []);
  assert.equal(signature, 1);
});

test('calls, class headers and snapshots match the engine', async () => {
  const { file } = await mined;
  const { chunks, nameOf } = await read(file);
  const total = chunks.find(([, name]) => name === 'Cart.total')!;
  assert.equal(total[2], 'm');
  assert.match(total[3], /^class Cart:\n {4}def total\(self\):/);
  assert.deepEqual(total[5].map(nameOf), ['rounded']);
  const newest = chunks.filter(([, , , , , , snapshots]) => snapshots.includes(0));
  assert.deepEqual(newest.map(([, name]) => name).sort(), [
    'Cart',
    'Cart.__init__',
    'Cart.clear',
    'Cart.total',
    'checkout',
    'rounded',
    'vat',
  ]);
});

test('a traceback leads through real calls to the edited line', async () => {
  const { file } = await mined;
  const { by } = await read(file);
  assert.equal(
    by(FIXES.price).trace,
    [
      'Traceback (most recent call last):',
      '  File "shop/cart.py", line 22, in checkout',
      '    return Cart.total(cart)',
      '  File "shop/cart.py", line 13, in total',
      '    return rounded(sum(item.price for item in self.items))',
      '  File "shop/price.py", line 3, in rounded',
      '    return round(amount, 1)',
    ].join('\n'),
  );
});

test('indented and moved lines are edits', async (t) => {
  const root = gitRepository({ 'shop/cart.py': CART, 'shop/price.py': PRICE });
  const { file } = setUp(t, root);
  const looped = PRICE.replace(
    '    return amount * 0.19',
    '    for _ in "x":\n        return amount * 0.19',
  );
  commit(root, 'Prepare a loop around the value added tax', {
    'shop/price.py': looped.replace('        return amount', '    return amount'),
  });
  commit(root, 'The tax belongs into the loop above it', { 'shop/price.py': looped });
  commit(root, 'Sell before the price is known to anyone', {
    'shop/cart.py': CART.replace('"""What a customer is about to buy."""\n\n', '').replace(
      'self.items = []\n\n    def total',
      'self.items = []\n\n    """What a customer is about to buy."""\n\n    def total',
    ),
  });
  await mine(root, file, OPTIONS);
  const { by, nameOf } = await read(file);
  assert.deepEqual(by('The tax belongs into the loop above it').pos.map(nameOf), ['vat']);
  assert.ok(by('Sell before the price is known to anyone').pos.map(nameOf).includes('Cart'));
});

test('edits of vendored and generated code are ignored', async (t) => {
  const generated = `# This file was generated by tills 1.0.\n${PRICE}`;
  const root = gitRepository({
    'shop/cart.py': CART,
    'shop/price.py': PRICE,
    'shop/rates.py': generated,
    'shop/_vendor/price.py': PRICE,
  });
  const { file } = setUp(t, root);
  const dearer = (text: string) => text.replace('0.19', '0.21');
  commit(root, 'Take over the new rates from the tills', {
    'shop/rates.py': dearer(generated),
    'shop/_vendor/price.py': dearer(PRICE),
  });
  commit(root, 'The value added tax is raised everywhere now', {
    'shop/price.py': dearer(PRICE),
    'shop/rates.py': generated,
  });
  await mine(root, file, OPTIONS);
  const { commits, by, nameOf } = await read(file);
  assert.deepEqual(by('The value added tax is raised everywhere now').pos.map(nameOf), ['vat']);
  assert.equal(commits.filter(({ m }) => /from the tills/.test(m)).length, 0);
});

test('limits on size, tests and number apply', async (t) => {
  const { root, file } = setUp(t, shop());
  await mine(root, file, { ...OPTIONS, requireTests: true });
  assert.deepEqual(
    (await read(file)).commits.map(({ m }) => m),
    [FIXES.price],
  );
  await mine(root, file, { ...OPTIONS, limit: 1 });
  assert.deepEqual(
    (await read(file)).commits.map(({ m }) => m),
    [],
  );
  commit(root, 'Change both modules of this shop at once', {
    'shop/cart.py': CART.replace('nothing to buy', 'empty'),
    'shop/price.py': PRICE.replace('0.19', '0.2'),
  });
  const { header } = await mine(root, file, { ...OPTIONS, maxFiles: 1 });
  assert.equal(header.rejected?.['too many files'], 1);
  const chunks = await mine(root, file, { ...OPTIONS, maxChunks: 1 });
  assert.equal(chunks.header.rejected?.['too many chunks'], 1);
});

test('an interrupted run continues, and gives the same bytes', async (t) => {
  const files = syntheticPackage(8);
  const root = gitRepository(files);
  const { file, folder } = setUp(t, root);
  const edits = Array.from({ length: 48 }, (_, i) => {
    const path = `pkg/module_${i % 8}.py`;
    files[path] = files[path].replace(/raise ValueError\(.*\)/, `raise ValueError("attempt ${i}")`);
    return { path, text: files[path], message: `Say which attempt it was that failed, ${i}` };
  });
  manyCommits(root, edits);
  const whole = join(folder, 'whole.zst');
  const undisturbed = await mine(root, whole, OPTIONS);
  assert.ok(undisturbed.header.pairs === 48);

  const interruption = new AbortController();
  const interrupted = mine(root, file, {
    ...OPTIONS,
    signal: interruption.signal,
    onProgress: ({ phase, done }) => phase === 'commits' && done > 0 && interruption.abort(),
  });
  await assert.rejects(interrupted, { code: 'cancelled' });
  assert.equal(existsSync(file), false);
  const resumed = await mine(root, file, OPTIONS);
  assert.ok(resumed.resumed > 0);
  assert.deepEqual(readFileSync(file), readFileSync(whole));
  assert.equal(existsSync(`${file}.partial`), false);
});

test('results of another history or other options are not used', async (t) => {
  const { root, file } = setUp(t, shop());
  writeFileSync(`${file}.partial`, 'not a database');
  const report = await mine(root, file, OPTIONS);
  assert.equal(report.resumed, 0);
  assert.equal((await read(file)).commits.length, 2);
});

test('ranking accepts consistent instances and adds hard negatives', async (t) => {
  const { root, file } = setUp(t, shop());
  const encoder = () => createEncoder({ modelFolder: BAG_1, device: 'cpu' });
  await mine(root, file, { ...OPTIONS, negatives: 2, encoder });
  const { by, nameOf, commits } = await read(file);
  assert.ok(by(FIXES.price).rank! <= 2);
  for (const { pos, neg } of commits) {
    assert.equal(neg!.length, 2);
    assert.deepEqual(
      neg!.filter((chunk) => pos.includes(chunk)),
      [],
    );
    // Another version of an edited chunk would be a false negative.
    const edited = new Set(pos.map(nameOf));
    assert.deepEqual(
      neg!.filter((chunk) => edited.has(nameOf(chunk))),
      [],
    );
  }
  commit(root, 'Quarterly figures were wrong for penguins', {
    'shop/price.py': PRICE.replace('0.19', '0.07'),
  });
  const { header } = await mine(root, file, { ...OPTIONS, topK: 1, encoder });
  assert.equal(header.rejected?.inconsistent, 1 + 2 - header.pairs);
  for (const { rank } of (await read(file)).commits) assert.equal(rank, 1);
});

test('a repository without suitable commits and a folder without a repository are errors', async (t) => {
  const { root, file, folder } = setUp(t, gitRepository({ 'a.py': 'x = 1\n' }));
  await assert.rejects(mine(root, file, OPTIONS), {
    code: 'not-found',
    message: /passes the filters/,
  });
  assert.deepEqual(readdirSync(folder), []);
  await assert.rejects(mine(folder, file, OPTIONS), { code: 'bad-repository' });
  await assert.rejects(mine(root, file, { ...OPTIONS, revision: 'nowhere' }), /no commit nowhere/);
});

test('commits of merged branches count once, merges do not count', async (t) => {
  const { root, file } = setUp(t, shop());
  git(root, 'checkout', '-q', '-b', 'side', 'HEAD~3');
  commit(root, 'The tax is lower on the other side of it', {
    'shop/price.py': PRICE.replace('0.19', '0.07'),
  });
  git(root, 'checkout', '-q', 'main');
  git(
    root,
    'merge',
    '-q',
    '-X',
    'ours',
    '--no-ff',
    '-m',
    'Merge what was done on the side',
    'side',
  );
  const { header } = await mine(root, file, OPTIONS);
  assert.equal(header.rejected?.merge, 1);
  const { commits } = await read(file);
  assert.equal(commits.filter(({ m }) => /other side/.test(m)).length, 1);
});

test('issues replace the messages of the commits that closed them, also of merges', async (t) => {
  const { root, file } = setUp(t, shop());
  const short = git(root, 'rev-parse', 'HEAD~1');
  git(root, 'checkout', '-q', '-b', 'side');
  const price = git(root, 'show', 'HEAD:shop/price.py');
  commit(root, 'wip', { 'shop/price.py': price.replace('0.19', '0.07') });
  git(root, 'checkout', '-q', 'main');
  const message = 'Merge pull request #7';
  git(root, 'merge', '-q', '--no-ff', '-m', message, 'side');
  const merge = git(root, 'rev-parse', 'HEAD');
  const issues = [
    { fix_commit: merge, problem_statement: 'The tax is too high' },
    { fix_commit: merge, problem_statement: 'VAT of 19 %?\n\nIt is 7 since July.' },
    { fix_commit: short, problem_statement: 'Nothing to buy' },
    { fix_commit: '0'.repeat(40), problem_statement: 'Fixed elsewhere' },
    { fix_commit: merge, problem_statement: 'Of another shop', repo: 'other/shop' },
  ];
  const lines = issues.map((issue) => `${JSON.stringify(issue)}\n`).join('');
  const options = { ...OPTIONS, issues: parseFixedIssues(lines, 'issues.jsonl', OPTIONS.name) };
  const { header } = await mine(root, file, options);
  const { commits, nameOf } = await read(file);
  assert.equal(header.commits, 3, 'those that are in the repository');
  assert.deepEqual(
    commits.map(({ m, issue, pos }) => [m, issue, pos.map(nameOf)]),
    [
      ['The tax is too high', true, ['vat']],
      ['VAT of 19 %?\n\nIt is 7 since July.', true, ['vat']],
      ['Nothing to buy', true, ['checkout']],
    ],
  );
});

test('issues that cannot be mined give an error with the reason', async (t) => {
  const { root, file } = setUp(t, shop());
  const reading = (text: string) => parseFixedIssues(text, 'issues.jsonl', 'test+shop');
  const elsewhere = { fix_commit: 'a'.repeat(40), problem_statement: 'Broken' };
  assert.throws(() => reading('{"fix_commit": 1'), /issues\.jsonl, line 1 is not JSON/);
  assert.throws(
    () => reading(JSON.stringify({ ...elsewhere, fix_commit: 'main' })),
    /line 1, field fix_commit: is not a full commit id/,
  );
  assert.throws(
    () => reading(JSON.stringify({ ...elsewhere, repo: 'other/shop' })),
    /has no issue of test\/shop/,
  );
  const issues = reading(JSON.stringify({ ...elsewhere, repo: 'Test/Shop' }));
  await assert.rejects(mine(root, file, { ...OPTIONS, issues }), {
    code: 'not-found',
    message: /None of the commits that closed the 1 issues/,
  });
});

test('an error of the reader has the file, the line and the problem', async (t) => {
  const { file } = setUp(t, gitRepository({ 'a.py': '' }));
  const rejects = async (lines: unknown[], message: RegExp) => {
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    writeFileSync(file, zstdCompressSync(text.join('')));
    await assert.rejects(read(file), (error: Error) => {
      assert.ok(error instanceof LocusError);
      assert.match(error.message, message);
      return true;
    });
  };
  const header = { repo: 'a+b', n: 1, pairs: 1 };
  const chunk = ['a.py', 'f', 'f', 'def f(): pass', null, [], [0]];
  await rejects(['{'], /data\.zst.*line 1 is not JSON/);
  await rejects([{ ...header, version: 99 }], /line 1: version/);
  await rejects([header, ['a.py']], /line 2/);
  await rejects([header, [...chunk.slice(0, 5), [7], [0]]], /line 2 refers to chunk 7 of 1/);
  await rejects([header, chunk, { m: '', t: [], pos: [], sib: [], snap: 0 }], /line 3: pos/);
  await rejects([header, chunk], /2 lines instead of 3/);
  writeFileSync(file, 'plain text');
  await assert.rejects(read(file), /data\.zst is not training data/);
});

test('files of the first version, without optional parts, are read', async (t) => {
  const { file } = setUp(t, gitRepository({ 'a.py': '' }));
  const lines = [
    { repo: 'a+b', n: 1, pairs: 1 },
    ['a.py', 'f', 'f', 'def f():\n    x = "\u2028\r"', null, [], [0]],
    { m: 'Fix it', t: [], pos: [0], sib: [], snap: 0 },
  ];
  writeFileSync(file, zstdCompressSync(lines.map((line) => JSON.stringify(line)).join('\n')));
  const { header, chunks, commits } = await read(file);
  assert.equal(header.version, 1);
  assert.equal(chunks[0][3], 'def f():\n    x = "\u2028\r"');
  assert.equal(commits[0].m, 'Fix it');
});
