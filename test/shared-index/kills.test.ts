/** Tests a pull that is killed at any part or moment: partial data never counts as complete, and the next pull continues. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { FolderObjects } from '../../src/services/objects/folder-objects.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { getManifestKey, readCatalog } from '../../src/services/shared-index/catalog.ts';
import { assertSameIndex, databasePath, findStrayEdges } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';
import { indexIn, keyOf, publishFrom, pullInto } from './laptops.ts';

const SCRIPT = join(import.meta.dirname, '../support/pull-and-exit.ts');
const PUBLISH = join(import.meta.dirname, '../support/publish-and-exit.ts');
const AT_RANDOM = scaleRounds(2);

describe('a pull that is killed', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  let root: string;
  let key: string;
  let parts: number;

  before(async () => {
    root = gitRepository(syntheticPackage(160));
    ({ parts } = await publishFrom(root, at('publisher'), at('shared')));
    key = await keyOf(at('publisher'));
    await indexIn(root, at('alone'));
    assert.ok(parts > 15);
  });
  after(() => {
    for (const one of [folder, root]) removeFolder(one);
  });

  const begin = (dataDir: string, ...part: string[]) =>
    fork(SCRIPT, [root, dataDir, at('shared'), key, ...part], { stdio: 'inherit' });

  /** Checks that the store is sound and incomplete. Returns its files. */
  async function look(dataDir: string): Promise<{ files: string[]; isWhole: boolean }> {
    const path = databasePath(dataDir);
    if (!path) return { files: [], isWhole: false };
    const database = new Sqlite(path, { readonly: true });
    assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(findStrayEdges(database), []);
    const files = database
      .prepare('SELECT id || path FROM file_versions ORDER BY id')
      .pluck()
      .all() as string[];
    database.close();
    const repository = await openRepository(root, { dataDir, device: 'cpu', shared: null });
    try {
      const { state } = await repository.status();
      const { partial } = await repository.search({
        issue: 'parse_cookie_0',
        rerank: { count: 0 },
      });
      assert.equal(partial === null, state === 'complete');
      return { files, isWhole: state === 'complete' };
    } finally {
      await repository.close();
    }
  }

  /** Checks that the next pull completes everything and reuses what is stored. */
  async function goesOn(dataDir: string, before: readonly string[]): Promise<void> {
    const { taken, report } = await pullInto(root, dataDir, at('shared'), [key]);
    assert.equal(taken?.behind, 0);
    assert.deepEqual([report.filesParsed, report.chunksEncoded], [0, 0]);
    const { files, isWhole } = await look(dataDir);
    assert.ok(isWhole);
    assert.deepEqual(
      before.filter((one) => !files.includes(one)),
      [],
    );
    assertSameIndex(dataDir, at('alone'));
  }

  for (const share of [0.2, 0.9]) {
    it(`after ${100 * share} % leaves nothing complete, and is continued`, async () => {
      const dataDir = at(`part-${share}`);
      const child = begin(dataDir, String(1 + Math.floor(share * parts)));
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
      const { files, isWhole } = await look(dataDir);
      assert.equal(isWhole, false);
      // Some of the first parts are requested before any is stored.
      if (share > 0.5) assert.ok(files.length > 0);
      await goesOn(dataDir, files);
    });
  }

  it('is also completed by indexing', async () => {
    const dataDir = at('indexed');
    await once(begin(dataDir, String(Math.floor(0.8 * parts))), 'exit');
    assert.equal((await look(dataDir)).isWhole, false);
    const report = await indexIn(root, dataDir);
    assert.ok(report.filesParsed < report.files);
    assertSameIndex(dataDir, at('alone'));
  });

  it(`${AT_RANDOM} times at any moment leaves a sound store`, async (t) => {
    const dataDir = at('random');
    const random = uniform();
    const start = performance.now();
    await once(begin(at('undisturbed')), 'exit');
    const duration = performance.now() - start;
    let kills = 0;
    let whole = 0;
    while (kills < AT_RANDOM) {
      const child = begin(dataDir);
      const ended = once(child, 'exit');
      await sleep(random() * duration);
      child.kill('SIGKILL');
      const [, signal] = await ended;
      if (signal === 'SIGKILL') kills++;
      const { isWhole } = await look(dataDir);
      if (!isWhole) continue;
      whole++;
      assertSameIndex(dataDir, at('alone'));
      rmSync(dataDir, { recursive: true });
    }
    await goesOn(dataDir, (await look(dataDir)).files);
    t.diagnostic(`${kills} kills; ${whole} times all was there by then`);
  });
});

describe('two publishers that are killed', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const names = ['one', 'other'];
  let root: string;

  before(() => {
    root = gitRepository(syntheticPackage(40));
  });
  after(() => {
    for (const one of [folder, root]) removeFolder(one);
  });

  const begin = (name: string, to = 'shared') =>
    fork(PUBLISH, [root, at(name), at(to)], { stdio: 'inherit' });

  /** Returns the names of all objects, and the entries of the catalog. */
  async function publishedIn(place: string): Promise<string[]> {
    const objects = new FolderObjects(at(place));
    const keys = readdirSync(at(place), { recursive: true, encoding: 'utf8' });
    const { entries } = await readCatalog(objects, basename(root));
    for (const { manifest } of entries) assert.ok(await objects.get(getManifestKey(manifest)));
    const stored = keys.filter((key) => /\/[0-9a-f]{64}$|\.json$/.test(key));
    return [...stored, ...entries.map((entry) => JSON.stringify(entry))].sort();
  }

  it(`${AT_RANDOM} times at any moment publish everything in the end`, async (t) => {
    const random = uniform();
    let duration = 0;
    for (const name of names) {
      const publisher = begin(name, 'undisturbed');
      await once(publisher, 'message');
      const start = performance.now();
      await once(publisher, 'exit');
      duration = performance.now() - start;
    }
    const expected = await publishedIn('undisturbed');
    assert.equal(expected.filter((line) => line.startsWith('{')).length, 2);
    let kills = 0;
    const folders = { done: 0, told: 0 };
    let partial = 0;
    while (kills < AT_RANDOM) {
      if (random() < 0.5) rmSync(at('shared'), { recursive: true, force: true });
      const publishers = names.map((name) => begin(name));
      const ended = publishers.map((one) => once(one, 'exit'));
      const victim = random() < 0.5 ? 0 : 1;
      await once(publishers[victim]!, 'message');
      await sleep(random() * duration);
      const [folderProcess] = random() < 0.4 ? listChildren(publishers[victim]!.pid) : [];
      if (folderProcess === undefined) publishers[victim]!.kill('SIGKILL');
      else killIfAlive(folderProcess);
      const [code, signal] = await ended[victim]!;
      // Without the process that writes to the folder, a publisher fails; but it may be done already.
      if (folderProcess !== undefined) folders[code === 0 ? 'done' : 'told']++;
      else if (signal === 'SIGKILL') kills++;
      assert.deepEqual(await ended[1 - victim], [0, null], `seed ${SEED}, after ${kills} kills`);
      const listed = await publishedIn('shared');
      if (listed.length < expected.length) partial++;
      // The other one’s index is complete, whatever the killed one was doing.
      const key = await keyOf(at(names[1 - victim]!));
      assert.ok(
        listed.some((line) => line.includes(key)),
        `seed ${SEED}, after ${kills} kills`,
      );
      await once(begin(names[victim]!), 'exit');
      assert.deepEqual(await publishedIn('shared'), expected);
    }
    await indexIn(root, at('alone'));
    for (const name of names) {
      const { report } = await pullInto(root, at(`reader of ${name}`), at('shared'), [
        await keyOf(at(name)),
      ]);
      assert.equal(report.filesParsed, 0);
      assertSameIndex(at(`reader of ${name}`), at('alone'));
    }
    t.diagnostic(
      `${kills} kills of publishers, ${JSON.stringify(folders)} of what writes for them, ${partial} left less, 0 differences, seed ${SEED}`,
    );
  });
});

/** Lists the child processes of a process; none on systems that do not report them. */
function listChildren(pid = 0): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
