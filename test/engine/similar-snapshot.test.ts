/** Another commit of an indexed repository starts from the most similar snapshot. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { SnapshotFiles } from '../../src/engine/snapshot/snapshot-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { IndexReport } from '../../src/shared/indexing.ts';
import { assertSameIndex, databasePath } from '../support/dump.ts';
import { Edits } from '../support/edits.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

await keepThreads();

const ISSUE = 'parse_cookie_3 raises ValueError in run and make, see pkg/module_3.py';
const CHANGED = 'pkg/module_3.py';

let root: string;
let dataDir: string;

beforeEach(() => {
  root = gitRepository(syntheticPackage(12));
  dataDir = temporaryFolder();
});
afterEach(() => {
  for (const folder of [root, dataDir]) removeFolder(folder);
});

function commit(files: Record<string, string> = {}): void {
  writeFiles(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'Edit');
}

/**
 * Indexes a revision, or the working tree for undefined. Returns the report, the number of chunks that the encoding stage looked
 * at, and the list for an issue.
 */
async function indexRevision(revision?: string, folder = dataDir) {
  const options = revision === undefined ? {} : { revision };
  const repository = await openRepository(root, { dataDir: folder, device: 'cpu', ...options });
  try {
    let encodeTotal = 0;
    const report = await repository.index({
      onProgress: ({ phase, total }) => {
        if (phase === 'encode') encodeTotal = total;
      },
    });
    const { results } = await repository.search({ issue: ISSUE, limit: 40, rerank: { count: 0 } });
    const list = results.map(({ address, score }) => `${address} ${score.toFixed(4)}`);
    return { report, encodeTotal, list };
  } finally {
    await repository.close();
  }
}

const countWork = ({ filesParsed, chunksEncoded }: IndexReport) => [filesParsed, chunksEncoded];

/** Asserts that a revision, indexed with a snapshot to start from, equals the same revision indexed alone. */
async function assertAsIfAlone(revision: string): Promise<void> {
  const { list } = await indexRevision(revision);
  const alone = temporaryFolder();
  try {
    assert.deepEqual(list, (await indexRevision(revision, alone)).list);
    const database = new Sqlite(databasePath(dataDir)!);
    database.pragma('foreign_keys = ON');
    database
      .prepare('DELETE FROM snapshots WHERE revision <> ?')
      .run(git(root, 'rev-parse', revision));
    database.close();
    assertSameIndex(dataDir, alone);
  } finally {
    removeFolder(alone);
  }
}

test('only what differs is parsed and encoded', async () => {
  await indexRevision();
  const text = 'def parse_cookie_3(header):\n    """Reads a cookie."""\n    return header\n';
  commit({ [CHANGED]: text });
  const { report, encodeTotal } = await indexRevision('HEAD');
  assert.equal(report.filesParsed, 1);
  assert.ok(encodeTotal > 0 && encodeTotal < report.chunks / 2, `${encodeTotal} chunks`);
  assert.deepEqual(countWork((await indexRevision('HEAD')).report), [0, 0]);
});

test('without a file of the similar snapshot, its rows are read', async () => {
  await indexRevision();
  rmSync(join(databasePath(dataDir)!, '..', 'snapshot-1-1.columns'));
  commit({ [CHANGED]: 'def parse_cookie_3(header):\n    return header\n' });
  await assertAsIfAlone('HEAD');
});

test('a commit without common files starts empty', async () => {
  await indexRevision();
  git(root, 'rm', '-rq', 'pkg');
  commit({ 'other.py': 'def run():\n    return make()\n\n\ndef make():\n    return 1\n' });
  const { report, list } = await indexRevision('HEAD');
  assert.equal(report.filesParsed, report.files);
  assert.ok(list.every((line) => line.startsWith('other.py')));
});

test('the file of a snapshot stays current when another commit is indexed', async () => {
  await indexRevision();
  commit({ [CHANGED]: 'def parse_cookie_3(header):\n    return header\n' });
  const { report } = await indexRevision('HEAD');
  assert.equal(report.filesParsed, 1);
  const store = new Store(dirname(databasePath(dataDir)!));
  try {
    const id = store.snapshots.open(null);
    const columns = new SnapshotFiles(store.directory, id).read(store.snapshots.getIdentity(id)!);
    assert.equal(columns?.files.length, report.files);
  } finally {
    store.close();
  }
});

test('a damaged similar snapshot is found, and the index is rebuilt', async () => {
  await indexRevision();
  const database = new Sqlite(databasePath(dataDir)!);
  database.pragma('foreign_keys = OFF');
  database.exec(
    "UPDATE snapshot_files SET version_id = version_id + 1 WHERE path = 'pkg/module_3.py'",
  );
  database.close();
  commit({ [CHANGED]: 'def parse_cookie_3(header):\n    return header\n' });
  const opened = openRepository(root, { dataDir, device: 'cpu', revision: 'HEAD' });
  await assert.rejects(
    opened.then((one) => one.index().finally(() => one.close())),
    /damaged/,
  );
  await assertAsIfAlone('HEAD');
});

test(`after random edits, the index equals one that was made alone, seed ${SEED}`, async () => {
  const files = new Map(Object.entries(syntheticPackage(6)));
  const random = uniform();
  const edits = new Edits(files, random);
  edits.start();
  for (let round = 0; round < scaleRounds(2); round++) {
    await indexRevision(round > 0 && random() < 0.5 ? 'HEAD' : undefined);
    for (let n = 0; n < 1 + 6 * random(); n++) edits.edit();
    git(root, 'rm', '-rq', '--ignore-unmatch', '.');
    commit(Object.fromEntries(files));
    await assertAsIfAlone('HEAD');
  }
});
