import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitFailure } from '../../src/base/git/git.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import { ReaderThread } from '../../src/engine/history/reader-thread.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { manyCommits } from '../lab/mining/history.ts';
import { git, writeFiles } from '../support/repository.ts';
import { folder, historyOf, repositoryOf } from './support.ts';

/** More than are read in the thread of those who ask. */
const COMMITS = 120;
const READ_AND_EXIT = join(import.meta.dirname, '../support/read-and-exit.ts');

function reader(t: TestContext): ReaderThread {
  const made = new ReaderThread();
  t.after(() => made.close());
  return made;
}

async function all(reading: AsyncIterable<Commit[]>): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const some of reading) commits.push(...some);
  return commits;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const PRICES = (price: number) => `def price():\n    return ${price}\n\n\ndef other():\n    pass\n`;

/** Its commits change the price, one after the other. */
function shop(t: TestContext): string {
  const root = repositoryOf(t, { 'prices.py': PRICES(0) });
  const edits = Array.from({ length: COMMITS }, (_, i) => i + 1);
  manyCommits(
    root,
    edits.map((i) => ({ message: `Charge ${i}`, path: 'prices.py', text: PRICES(i) })),
  );
  git(root, 'reset', '-q', '--hard');
  return root;
}

test('a thread reads what its caller would, as often as it is asked', async (t) => {
  const root = shop(t);
  const hashes = await listCommits(root, 'HEAD', 1000);
  const expected = await historyOf(root);
  const thread = reader(t);
  for (let i = 0; i < 2; i++) {
    const commits = await all(thread.read(root, hashes));
    commits.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
    assert.deepEqual(commits, expected);
  }
  assert.equal(expected.length, COMMITS);
});

test('a long history is indexed by way of it, and counts in search', async (t) => {
  const repository = await openRepository(shop(t), { device: 'cpu', dataDir: folder(t) });
  t.after(() => repository.close());
  const { notes } = await repository.index();
  assert.deepEqual(notes, []);
  const { results } = await repository.search({ issue: 'Charge 60 is wrong' });
  const first = results.find(({ address }) => address === 'prices.py::price');
  assert.ok(first?.evidence.churn !== undefined);
});

test('a failure of git arrives as it is thrown, and the thread goes on', async (t) => {
  const root = shop(t);
  const thread = reader(t);
  await assert.rejects(all(thread.read(folder(t), ['0'.repeat(40)])), (error) => {
    assert.ok(error instanceof GitFailure);
    assert.ok(error.gitRefused);
    assert.notEqual(error.remedy, '');
    return true;
  });
  const [newest = ''] = await listCommits(root, 'HEAD', 1);
  assert.equal((await all(thread.read(root, [newest]))).length, 1);
});

test('reading is cancelled, and what is read in a thread that is closed ends', async (t) => {
  const root = shop(t);
  const hashes = await listCommits(root, 'HEAD', 1000);
  const stopped = (error: unknown) => error instanceof LocusError && error.code === 'cancelled';
  const stop = new AbortController();
  const cancelled = all(reader(t).read(root, hashes, stop.signal));
  stop.abort();
  await assert.rejects(cancelled, stopped);
  const thread = reader(t);
  const closed = all(thread.read(root, hashes));
  const end = assert.rejects(closed, LocusError);
  await thread.close();
  await end;
});

test('no git outlives a process that exits while a thread waits for it', async (t) => {
  const root = folder(t);
  const pidFile = join(root, 'pid');
  writeFiles(root, {
    'bin/git': `#!/bin/sh\necho $$ > ${pidFile}.tmp\nmv ${pidFile}.tmp ${pidFile}\nexec sleep 600\n`,
  });
  execFileSync('chmod', ['+x', join(root, 'bin/git')]);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  execFileSync(process.execPath, [READ_AND_EXIT, root, pidFile], { env });
  const pid = Number(readFileSync(pidFile, 'utf8'));
  assert.ok(pid > 0);
  // Who is killed is gone a moment later; it would stay for ten minutes.
  for (let i = 0; i < 100 && isThere(pid); i++) await sleep(100);
  assert.ok(!isThere(pid));
});
