import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertSameIndex, databasePath, dumpIndex, findStrayEdges } from '../support/dump.ts';
import { Edits } from '../support/edits.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const ALONE = scaleRounds(4);
const ACCOMPANIED = scaleRounds(2);
const SMALL = scaleRounds(3);
const INDEX: Program = [findScript('index-and-exit.ts')];
const FOLLOW: Program = [findScript('index-and-follow.ts')];
const SMALL_INDEX: Program = [findScript('small-writer.ts')];
const SMALL_FOLLOW: Program = [findScript('small-writer.ts'), 'follow'];
const ISSUE = 'parse_cookie_0 raises ValueError in pkg/module_0.py although strict is False';

let scratch: string;
before(() => {
  scratch = temporaryFolder();
});
after(() => removeFolder(scratch));

test(`${ALONE} kills at random moments of indexing leave the same index`, async (t) => {
  const root = gitRepository(syntheticPackage(200));
  t.after(() => removeFolder(root));
  const random = uniform();
  const undisturbed = join(scratch, 'undisturbed');
  const start = performance.now();
  await ended(begin(INDEX, root, undisturbed));
  const duration = performance.now() - start;
  const expected = dumpIndex(undisturbed);
  assert.ok(expected.chunks.length > 1000 && expected.edges.length > 500);
  assert.equal(expected.embeddings.length, expected.chunks.length);
  const expectedRanking = await rank(root, undisturbed);

  const dataDir = join(scratch, 'killed');
  let kills = 0;
  let finished = 0;
  const found = { nothing: 0, partial: 0, complete: 0 };
  while (kills < ALONE) {
    const child = begin(INDEX, root, dataDir);
    await sleep(random() * duration);
    child.kill('SIGKILL');
    const { signal } = await ended(child);
    if (signal === 'SIGKILL') kills++;
    const state = await inspect(root, dataDir);
    found[state]++;
    if (state === 'complete') {
      finished++;
      assertSameIndex(dataDir, undisturbed);
      rmSync(dataDir, { recursive: true });
    }
  }
  await ended(begin(INDEX, root, dataDir));
  assertSameIndex(dataDir, undisturbed);
  assert.deepEqual(await rank(root, dataDir), expectedRanking, 'same chunks in the same order');
  t.diagnostic(
    `${kills} kills, ${finished} runs completed between them; after a kill the store held ${JSON.stringify(found)}`,
  );
});

for (const [kills, what, modules, index, follow] of [
  [ACCOMPANIED, 'processes', 30, INDEX, FOLLOW],
  [SMALL, 'processes without threads and models', 15, SMALL_INDEX, SMALL_FOLLOW],
] as const)
  test(`${kills} kills of ${what}, while a second process works and files change, leave the index of the files`, async (t) => {
    const dataDir = join(scratch, `shared-${modules}`);
    const writers = new Writers(dataDir, syntheticPackage(modules), index, follow);
    t.after(() => writers.close());
    await writers.start();
    let compared = 0;
    while (writers.kills < kills) {
      for (let n = 0; n < 5 && writers.kills < kills; n++) await writers.killOne();
      await writers.compare();
      compared++;
    }
    t.diagnostic(
      `${writers.kills} kills, ${compared} comparisons, ${JSON.stringify(writers.found)}`,
    );
  });

/** Script, and arguments after the common ones. */
type Program = readonly [path: string, ...rest: string[]];

/** Two processes that keep one index of a folder whose files change continuously. */
class Writers {
  kills = 0;
  /** Counts of the states in which processes were killed. */
  readonly found = { indexing: 0, following: 0, dirty: 0, clean: 0 };
  readonly #dataDir: string;
  readonly #indexProgram: Program;
  readonly #followProgram: Program;
  /** Initial files. */
  readonly #first: Record<string, string>;
  readonly #uniform = uniform();
  readonly #files = new Map<string, string>();
  readonly #edits = new Edits(this.#files, this.#uniform);
  readonly #root = temporaryFolder();
  #follower: ChildProcess | null = null;
  /** Time that a process takes to start and to index everything, in milliseconds. */
  #duration = 0;

  constructor(dataDir: string, first: Record<string, string>, index: Program, follow: Program) {
    this.#dataDir = dataDir;
    this.#first = first;
    this.#indexProgram = index;
    this.#followProgram = follow;
  }

  async start(): Promise<void> {
    this.#restore();
    const start = performance.now();
    await this.#index(this.#dataDir);
    this.#duration = performance.now() - start;
  }

  /** Runs a process that indexes and one that watches the files while they are edited, and kills one of them. */
  async killOne(): Promise<void> {
    const running =
      this.#follower && this.#follower.exitCode === null && this.#follower.signalCode === null;
    if (!running) this.#follower = begin(this.#followProgram, this.#root, this.#dataDir);
    const follower = this.#follower!;
    const indexing = begin(this.#indexProgram, this.#root, this.#dataDir);
    const moment = performance.now() + (0.2 + 1.3 * this.#uniform()) * this.#duration;
    while (performance.now() < moment) {
      this.#edit();
      await sleep(20 + 80 * this.#uniform());
    }
    const isFollower = this.#uniform() < 0.5;
    const victim = isFollower ? follower : indexing;
    victim.kill('SIGKILL');
    const { code, signal } = await ended(victim);
    assert.ok(
      signal === 'SIGKILL' || (code === 0 && !isFollower),
      `not killed but ended: ${code} ${signal}; ${this.#seed()}`,
    );
    if (signal === 'SIGKILL') {
      this.kills++;
      this.found[isFollower ? 'following' : 'indexing']++;
    }
    const { dirty } = this.#checkStore();
    this.found[dirty ? 'dirty' : 'clean']++;
    // The other process continues from what the killed one left.
    if (isFollower) assert.equal((await ended(indexing)).code, 0, this.#seed());
  }

  /** Kills both, indexes the remaining changes, and compares with an undisturbed index. */
  async compare(): Promise<void> {
    this.#follower?.kill('SIGKILL');
    if (this.#follower) await ended(this.#follower);
    this.#checkStore();
    await this.#index(this.#dataDir);
    const fresh = `${this.#dataDir}-fresh`;
    await this.#index(fresh);
    try {
      assertSameIndex(this.#dataDir, fresh);
    } catch (error) {
      throw new Error(`${this.#seed()}: ${(error as Error).message}`, { cause: error });
    }
    rmSync(fresh, { recursive: true });
    this.#restore();
  }

  async close(): Promise<void> {
    this.#follower?.kill('SIGKILL');
    removeFolder(this.#root);
  }

  /** Asserts that the store is valid and, unless the graph must be resolved again, that edges join chunks of the snapshot. */
  #checkStore(): { dirty: boolean } {
    const database = new Sqlite(databasePath(this.#dataDir)!, { readonly: true });
    try {
      // The other process may write meanwhile.
      return database.transaction(() => {
        assert.equal(database.pragma('quick_check', { simple: true }), 'ok');
        assert.deepEqual(database.pragma('foreign_key_check'), []);
        const dirty = database.prepare('SELECT graph_dirty FROM snapshots').pluck().get() === 1;
        if (!dirty) assert.deepEqual(findStrayEdges(database), [], this.#seed());
        return { dirty };
      })();
    } finally {
      database.close();
    }
  }

  async #index(dataDir: string): Promise<void> {
    const { code, signal } = await ended(begin(this.#indexProgram, this.#root, dataDir));
    assert.deepEqual([code, signal], [0, null], this.#seed());
  }

  /** Restores the initial files, as switching branches does. */
  #restore(): void {
    for (const path of this.#files.keys()) rmSync(join(this.#root, path), { force: true });
    this.#files.clear();
    for (const [path, text] of Object.entries(this.#first)) this.#edits.put(path, text);
    writeFiles(this.#root, this.#first);
  }

  #edit(): void {
    for (const path of this.#edits.edit()) {
      const text = this.#files.get(path);
      if (text === undefined) rmSync(join(this.#root, path), { force: true });
      else writeFiles(this.#root, { [path]: text });
    }
  }

  #seed(): string {
    return `LOCUS_SEED=${SEED}, after ${this.kills} kills`;
  }
}

function findScript(name: string): string {
  return fileURLToPath(new URL(`../support/${name}`, import.meta.url));
}

function begin([path, ...rest]: Program, root: string, dataDir: string): ChildProcess {
  return fork(path, [root, dataDir, ...rest], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  }
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** Opens and searches what a killed process left, asserts that it is valid, and returns its state. */
async function inspect(root: string, dataDir: string): Promise<'nothing' | 'partial' | 'complete'> {
  const path = databasePath(dataDir);
  if (!path) return 'nothing';
  const database = new Sqlite(path);
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(database.pragma('foreign_key_check'), []);
  database.close();
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  try {
    const { state, chunks } = await repository.status();
    const { results, partial } = await repository.search({ issue: ISSUE, rerank: { count: 0 } });
    assert.equal(results.length > 0, chunks > 0);
    assert.equal(partial === null, state === 'complete');
    return state === 'empty' ? 'nothing' : state;
  } finally {
    await repository.close();
  }
}

async function rank(root: string, dataDir: string): Promise<string[]> {
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  const { results } = await repository.search({ issue: ISSUE, limit: 30, rerank: { count: 0 } });
  await repository.close();
  return results.map((result) => result.address);
}
