import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitFailure } from '../../src/base/git/git.ts';
import { HistoryThread } from '../../src/engine/history/history-thread.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { manyCommits } from '../lab/mining/history.ts';
import { git, writeFiles } from '../support/repository.ts';
import { createFolder, createRepository, readAllCommits } from './support.ts';

/** More commits than are read in the caller's thread. */
const COMMITS = 120;
const READ_AND_EXIT = join(import.meta.dirname, '../support/read-and-exit.ts');

function createReader(t: TestContext): HistoryThread {
  const made = new HistoryThread();
  t.after(() => made.close());
  return made;
}

async function collect(reading: AsyncIterable<Commit[]>): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const some of reading) commits.push(...some);
  return commits;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const writePrices = (price: number) =>
  `def price():\n    return ${price}\n\n\ndef other():\n    pass\n`;

/** Creates a repository whose commits change a price. */
function createShop(t: TestContext): string {
  const root = createRepository(t, { 'prices.py': writePrices(0) });
  const edits = Array.from({ length: COMMITS }, (_, i) => i + 1);
  manyCommits(
    root,
    edits.map((i) => ({ message: `Charge ${i}`, path: 'prices.py', text: writePrices(i) })),
  );
  git(root, 'reset', '-q', '--hard');
  return root;
}

test('reads the same commits as the caller’s thread, repeatedly', async (t) => {
  const root = createShop(t);
  const hashes = await listCommits(root, 'HEAD', 1000);
  const expected = await readAllCommits(root);
  const thread = createReader(t);
  for (let i = 0; i < 2; i++) {
    const commits = await collect(thread.read(root, hashes));
    commits.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
    assert.deepEqual(commits, expected);
  }
  assert.equal(expected.length, COMMITS);
});

test('indexes a long history, which counts in search', async (t) => {
  const repository = await openRepository(createShop(t), {
    device: 'cpu',
    dataDir: createFolder(t),
  });
  t.after(() => repository.close());
  const { notes } = await repository.index();
  assert.deepEqual(notes, []);
  const { results } = await repository.search({ issue: 'Charge 60 is wrong' });
  const first = results.find(({ address }) => address === 'prices.py::price');
  assert.ok(first?.evidence.churn !== undefined);
});

test('passes on a failure of git, and goes on', async (t) => {
  const root = createShop(t);
  const thread = createReader(t);
  await assert.rejects(collect(thread.read(createFolder(t), ['0'.repeat(40)])), (error) => {
    assert.ok(error instanceof GitFailure);
    assert.ok(error.gitRefused);
    assert.notEqual(error.remedy, '');
    return true;
  });
  const [newest = ''] = await listCommits(root, 'HEAD', 1);
  assert.equal((await collect(thread.read(root, [newest]))).length, 1);
});

test('cancels reading, and ends it if the thread is closed', async (t) => {
  const root = createShop(t);
  const hashes = await listCommits(root, 'HEAD', 1000);
  const stopped = (error: unknown) => error instanceof LocusError && error.code === 'cancelled';
  const stop = new AbortController();
  const cancelled = collect(createReader(t).read(root, hashes, stop.signal));
  stop.abort();
  await assert.rejects(cancelled, stopped);
  const thread = createReader(t);
  const closed = collect(thread.read(root, hashes));
  const end = assert.rejects(closed, LocusError);
  await thread.close();
  await end;
});

test('kills git if the process exits while a thread waits for it', async (t) => {
  const root = createFolder(t);
  const pidFile = join(root, 'pid');
  writeFiles(root, {
    'bin/git': `#!/bin/sh\necho $$ > ${pidFile}.tmp\nmv ${pidFile}.tmp ${pidFile}\nexec sleep 600\n`,
  });
  execFileSync('chmod', ['+x', join(root, 'bin/git')]);
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  execFileSync(process.execPath, [READ_AND_EXIT, root, pidFile], { env });
  const pid = Number(readFileSync(pidFile, 'utf8'));
  assert.ok(pid > 0);
  // A killed process ends a moment later; otherwise, it would run for ten minutes.
  for (let i = 0; i < 100 && isRunning(pid); i++) await sleep(100);
  assert.ok(!isRunning(pid));
});
