/** A read-only index answers searches, and `locus status` writes nothing. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { SettingsStore } from '../../src/backend/settings.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { databasePath } from '../support/dump.ts';
import { gitRepository, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { compileShim, type Faults, faultyEnvironment } from '../support/shim.ts';

const LOCUS = fileURLToPath(new URL('../../src/cli/locus.ts', import.meta.url));
const FILES = {
  'shop/cookies.py':
    'def parse_cookie(header):\n    return dict(quote(p) for p in header.split(";"))\n\n\ndef quote(part):\n    return part.split("=", 1)\n',
};

let scratch: string;
let shim: string;
let root: string;
let dataDir: string;
before(() => {
  scratch = temporaryFolder();
  shim = compileShim(scratch);
});
after(() => removeFolder(scratch));
beforeEach(async () => {
  root = gitRepository(FILES);
  dataDir = join(scratch, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir);
});

const locus = (faults: Omit<Faults, 'root'>, ...args: string[]) =>
  spawnSync(process.execPath, [LOCUS, ...args, '--data-dir', dataDir], {
    encoding: 'utf8',
    env: faultyEnvironment(shim, { root: dataDir, ...faults }),
  });

async function index(): Promise<void> {
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  await repository.index();
  await repository.close();
  const database = openAppDatabase(dataDir);
  new SettingsStore(database).set({ model: 'bag-1' });
  database[Symbol.dispose]();
}

describe('locus status writes nothing', () => {
  const status = () => {
    const log = join(scratch, 'calls');
    rmSync(log, { force: true });
    const { stdout, stderr, status } = locus({ log }, 'status', root, '--json');
    assert.equal(status, 0, stderr);
    const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    // SQLite opens the write-ahead log of another process for writing, but does not write.
    assert.deepEqual(
      calls.filter((call) => !/^\d+ open .*index\.db-wal$/.test(call)),
      [],
    );
    return JSON.parse(stdout);
  };

  it('if nothing is indexed', () => {
    assert.equal(status().state, 'empty');
  });

  it('while an index is being made', async () => {
    await index();
    const path = databasePath(dataDir)!;
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    truncateSync(path);
    assert.equal(status().state, 'empty');
  });

  it('if no process uses the index', async () => {
    await index();
    const { state, chunks } = status();
    assert.deepEqual({ state, chunks }, { state: 'complete', chunks: 3 });
  });

  it('if a process has the index open, or was killed while it did', async () => {
    await index();
    const path = databasePath(dataDir)!;
    const holder = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import Sqlite from 'better-sqlite3';
         const database = new Sqlite(process.argv[1]);
         database.exec("UPDATE snapshots SET indexed_at = '2030-01-01T00:00:00.000Z'");
         console.log('done');
         setInterval(() => {}, 1000);`,
        path,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname },
    );
    try {
      await once(holder.stdout, 'data');
      assert.equal(status().indexedAt, '2030-01-01T00:00:00.000Z');
    } finally {
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    }
    assert.equal(status().indexedAt, '2030-01-01T00:00:00.000Z');
  });
});

describe('on a read-only medium', () => {
  const readOnly = { error: 'EROFS', at: 1, forEver: true } as const;
  const ISSUE = 'parse_cookie fails';

  it('a search of the index works, with a note that it may be outdated', async () => {
    await index();
    writeFiles(root, { 'shop/new.py': 'def parse_cookie_anew(): pass\n' });
    for (const args of [
      ['search', root, ISSUE],
      ['show', root, 'parse_cookie'],
      ['neighbors', root, 'parse_cookie'],
      ['export', root, ISSUE],
    ]) {
      const { status, stdout, stderr } = locus(readOnly, ...args);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /parse_cookie/);
      assert.doesNotMatch(stdout, /parse_cookie_anew/);
      assert.match(
        stderr,
        /^locus: The index at .* is read-only, .*\. The existing index is used\.\n$/,
      );
    }
    assert.equal(JSON.parse(locus(readOnly, 'status', root, '--json').stdout).state, 'complete');
  });

  it('indexing fails, and so does a search without an index', async () => {
    await index();
    for (const args of [
      ['index', root],
      ['search', root, ISSUE, '--at', 'HEAD'],
    ]) {
      const { status, stderr } = locus(readOnly, ...args);
      assert.equal(status, 4, stderr);
      assert.match(stderr, /^locus: The index at .* is read-only, .*\n {2}→ Make it writable/);
    }
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    const { status, stderr } = locus(readOnly, 'search', root, ISSUE);
    assert.equal(status, 4, stderr);
    assert.match(stderr, /read-only file system/);
  });
});
