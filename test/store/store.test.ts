import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import fs, { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { Damage, DamagedIndex } from '../../src/base/damage.ts';
import { packTexts } from '../../src/engine/columns/packed.ts';
import { unpackEntries } from '../../src/engine/lexical/packed-counts.ts';
import { packFile } from '../../src/engine/parse/packed-file.ts';
import type { ParsedChunk } from '../../src/engine/parse/types.ts';
import { EXPECTED_SCHEMA_SHA256, getExpectedSchema } from '../../src/engine/store/database.ts';
import type { NewFileVersion } from '../../src/engine/store/file-versions.ts';
import { SCHEMA_VERSION } from '../../src/engine/store/schema.ts';
import { Store } from '../../src/engine/store/store.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function chunk(qualifiedName: string, text: string): ParsedChunk {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return {
    qualifiedName,
    name,
    text,
    ordinal: 0,
    kind: 'function',
    startLine: 1,
    endLine: 2,
    parent: -1,
    signatureEnd: 0,
    doc: null,
  };
}

function version(path: string, hash: string, chunks: ParsedChunk[]): NewFileVersion {
  const packed = packFile({
    chunks,
    content: chunks.map((one) => one.text).join('\n'),
    facts: { imports: [], bindings: [], references: [] },
    // Each chunk has the terms "shared" (field 4, twice) and one of its own (field 1, once).
    termCounts: {
      terms: ['shared', ...chunks.map((one) => one.name)],
      offsets: Uint32Array.from({ length: chunks.length + 1 }, (_, i) => i * 2),
      entries: Uint32Array.from(
        chunks.flatMap((_, i) => [(0 << 11) | (4 << 8) | 2, ((i + 1) << 11) | (1 << 8) | 1]),
      ),
    },
    lines: 2,
    errors: 0,
    generated: false,
  });
  return { ...packed, path, hash, parser: 'python@1' };
}

function put(store: Store, snapshot: number, file: NewFileVersion): number {
  return store.transaction(() => {
    const { id: versionId } = store.versions.add(file);
    store.snapshots.changeFiles(snapshot, [{ path: file.path, versionId }], []);
    return versionId;
  });
}

test('adding a version returns what reading it returns', () => {
  const store = new Store(folder);
  const documented = { ...chunk('g', 'def g(): "é"'), parent: 0, doc: [9, 12] as [number, number] };
  const added = store.transaction(() =>
    store.versions.add(version('a.py', 'h1', [chunk('f', 'def f(): pass'), documented])),
  );
  assert.deepEqual(added.chunks, store.versions.getChunks(added.id));
  assert.deepEqual(added.termCounts, store.versions.getTermCounts(added.id));
  store.close();
});

test('stored data survives closing and reopening', () => {
  const store = new Store(folder);
  const snapshot = store.snapshots.open(null);
  const id = put(
    store,
    snapshot,
    version('a.py', 'h1', [chunk('f', 'def f(): pass'), chunk('g', 'def g(): "é"')]),
  );
  store.close();

  const again = new Store(folder);
  assert.equal(again.snapshots.open(null), snapshot);
  assert.deepEqual(
    again.snapshots.getFiles(snapshot).map((file) => [file.path, file.versionId, file.hash]),
    [['a.py', id, 'h1']],
  );
  const [f, g] = again.versions.getChunks(id);
  assert.equal(again.versions.getChunkText(g.id).text, 'def g(): "é"');
  assert.equal(again.versions.getContent(id), 'def f(): pass\ndef g(): "é"');
  assert.equal(f.length, 13);
  const counts = again.versions
    .getTermCounts(id)
    .map((packed) =>
      Array.from(unpackEntries(packed), (entry) => [
        again.terms.termOf(entry >>> 11),
        (entry >>> 8) & 7,
        entry & 255,
      ]),
    );
  assert.deepEqual(counts, [
    [
      ['shared', 4, 2],
      ['f', 1, 1],
    ],
    [
      ['shared', 4, 2],
      ['g', 1, 1],
    ],
  ]);
  assert.equal(again.checkIntegrity(), 'ok');
  again.close();
});

test('a failed transaction leaves neither rows nor terms', () => {
  const store = new Store(folder);
  const snapshot = store.snapshots.open(null);
  assert.throws(() =>
    store.transaction(() => {
      store.versions.add(version('a.py', 'h1', [chunk('doomed', 'def doomed(): pass')]));
      throw new Error('the disk is on fire');
    }),
  );
  assert.equal(store.terms.idOf('doomed'), undefined);
  assert.equal(store.versions.find('a.py', 'h1', 'python@1'), undefined);
  put(store, snapshot, version('b.py', 'h2', [chunk('fine', 'def fine(): pass')]));
  assert.notEqual(store.terms.idOf('fine'), undefined);
  assert.equal(store.terms.termOf(store.terms.idOf('fine')!), 'fine');
  store.close();
});

test('an edge has a kind and sites, and replacing a caller leaves other callers unchanged', () => {
  const store = new Store(folder);
  const snapshot = store.snapshots.open(null);
  const edge = {
    caller: 1,
    callee: 2,
    kind: 'call',
    guess: false,
    sites: [{ line: 4, column: 8 }],
  } as const;
  const guess = { caller: 3, callee: 2, kind: 'construct', guess: true, sites: [] } as const;
  store.edges.replace(
    snapshot,
    [1, 3],
    [
      { ...edge, sites: [...edge.sites] },
      { ...guess, sites: [] },
    ],
  );
  store.edges.replace(snapshot, [3], []);
  assert.deepEqual([...store.edges.readAll(snapshot)], [edge]);
  assert.deepEqual(store.edges.getCallees(snapshot, 1), [edge]);
  store.close();
});

test('the stored digest of the schema is correct', () => {
  const digest = createHash('sha256').update(getExpectedSchema()).digest('hex');
  assert.equal(
    EXPECTED_SCHEMA_SHA256,
    digest,
    'the schema changed: set SOUND_SCHEMA to the digest',
  );
});

test('a damaged database is quarantined, not deleted, and a note says so', () => {
  new Store(folder).close();
  writeFileSync(
    join(folder, 'index.db'),
    'this is not a database, not at all, however long one reads it',
  );
  const store = new Store(folder);
  assert.match(store.notes[0], /was damaged .* moved to .*index\.db\.damaged-/);
  assert.equal(store.checkIntegrity(), 'ok');
  assert.ok(readdirSync(folder).some((name) => name.startsWith('index.db.damaged-')));
  store.close();
});

test('opening a damaged database for reading fails, and one that is being created is empty', () => {
  new Store(folder).close();
  const path = join(folder, 'index.db');
  const sound = readFileSync(path);
  const read = () => new Store(folder, null, { revision: null }).close();
  const damaged: Record<string, Uint8Array> = {
    'not a database': randomBytes(8192),
    'cut off': sound.subarray(0, 6000),
    'its tables are gone': withoutTables(),
  };
  for (const [what, bytes] of Object.entries(damaged)) {
    writeFileSync(path, bytes);
    assert.throws(
      read,
      (error: LocusError) =>
        error.code === 'bad-store' &&
        /is damaged \(/.test(error.message) &&
        /locus index/.test(error.remedy),
      what,
    );
    assert.deepEqual(readFileSync(path), Buffer.from(bytes));
  }
  writeFileSync(path, '');
  read();

  function withoutTables(): Buffer {
    const database = new Sqlite(':memory:');
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
    return database.serialize();
  }
});

test('a database of a newer version is refused with a remedy and left unchanged', () => {
  new Store(folder).close();
  const database = new Sqlite(join(folder, 'index.db'));
  database.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  database.close();
  assert.throws(
    () => new Store(folder),
    (error) =>
      error instanceof LocusError && error.code === 'bad-store' && /--data-dir/.test(error.remedy),
  );
});

test('a second writer waits for the first, and fails with a reason after a while', async () => {
  const [first, second] = [new Store(folder), new Store(folder)];
  const order: string[] = [];
  let release = () => {};
  const holding = first.lock.hold(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    order.push('first');
  });
  await assert.rejects(
    second.lock.hold(async () => {}, 100),
    (error) => error instanceof LocusError && error.code === 'busy',
  );
  const told = Promise.withResolvers<void>();
  const waiting = second.lock.hold(
    async () => {
      order.push('second');
    },
    undefined,
    undefined,
    () => told.resolve(),
  );
  await told.promise;
  release();
  await Promise.all([holding, waiting]);
  assert.deepEqual(order, ['first', 'second']);
  first.close();
  second.close();
});

test('a store notices writes of another process and reads its terms', () => {
  const [mine, other] = [new Store(folder), new Store(folder)];
  assert.equal(mine.hasChangedElsewhere(), false);
  assert.equal(mine.terms.size, 0);
  put(
    other,
    other.snapshots.open(null),
    version('a.py', 'h1', [chunk('news', 'def news(): pass')]),
  );
  assert.equal(mine.terms.idOf('news'), undefined);
  assert.equal(mine.hasChangedElsewhere(), true);
  assert.throws(() => mine.read(() => assert.fail('it is not read')));
  assert.equal(mine.hasChangedElsewhere(), true);
  assert.notEqual(
    mine.read(() => mine.terms.idOf('news')),
    undefined,
  );
  assert.equal(mine.hasChangedElsewhere(), false);
  mine.close();
  other.close();
});

test('loading reads one consistent state while another process writes', () => {
  const [mine, other] = [new Store(folder), new Store(folder)];
  const snapshot = mine.snapshots.open(null);
  const [before, after] = mine.read(() => {
    const files = mine.snapshots.getFiles(snapshot);
    put(other, snapshot, version('a.py', 'h1', [chunk('late', 'def late(): pass')]));
    return [files, mine.snapshots.getFiles(snapshot)];
  });
  assert.deepEqual([before, after], [[], []]);
  assert.equal(mine.hasChangedElsewhere(), true);
  assert.equal(mine.read(() => mine.snapshots.getFiles(snapshot)).length, 1);
  mine.close();
  other.close();
});

test('garbage: used versions and a reserve of old ones stay, the others are removed and free their space', () => {
  const store = new Store(folder);
  const snapshot = store.snapshots.open(null);
  // Three megabytes of incompressible data each.
  const ids = [1, 2, 3, 4].map((n) =>
    put(store, snapshot, {
      ...version('a.py', `h${n}`, [chunk('f', 'def f(): pass')]),
      texts: packTexts([randomBytes(2_900_000).toString('base64'), 'def f(): pass']),
    }),
  );
  const before = store.bytes;
  store.collectGarbage();
  assert.deepEqual(
    ids.map((id) => store.versions.getChunks(id).length > 0),
    [false, true, true, true],
  );
  store.returnFreeSpace();
  assert.ok(store.bytes < before - 1_000_000, `${before} to ${store.bytes} bytes`);
  assert.equal(store.versions.find('a.py', 'h4', 'python@1'), ids[3]);
  assert.equal(store.checkIntegrity(), 'ok');
  store.close();
});

test('garbage: large old commits are removed, except for the latest', () => {
  const store = new Store(folder);
  const commits = [1, 2, 3, 4, 5].map((n) => {
    const id = store.snapshots.open(`commit ${n}`);
    put(store, id, {
      ...version('a.py', `h${n}`, [chunk('f', 'def f(): pass')]),
      texts: packTexts([randomBytes(2_700_000).toString('base64'), 'def f(): pass']),
    });
    store.snapshots.markComplete(id);
    return id;
  });
  store.collectGarbage();
  assert.deepEqual(
    commits.map((id) => store.snapshots.getState(id).indexedAt !== null),
    [false, false, true, true, true],
  );
  store.close();
});

test('an index of an earlier version is rebuilt, and a note says so', () => {
  const first = new Store(folder);
  first.snapshots.markComplete(first.snapshots.open('a commit'));
  first.close();
  const old = new Sqlite(join(folder, 'index.db'));
  old.pragma(`user_version = ${SCHEMA_VERSION - 1}`);
  old.close();
  const reader = new Store(folder, null, { revision: 'a commit' });
  assert.equal(
    reader.snapshots.getState(1).indexedAt,
    null,
    'one that only reads takes it for missing',
  );
  reader.close();
  const store = new Store(folder);
  assert.match(store.notes[0], /earlier version of Locus\. It is being rebuilt/);
  assert.equal(store.snapshots.getState(store.snapshots.open('a commit')).indexedAt, null);
  store.close();
  const again = new Store(folder);
  assert.deepEqual(again.notes, []);
  again.close();
});

test('garbage: the latest commits stay, and so does one that another process will index', () => {
  const store = new Store(folder);
  const waiting = store.snapshots.open('waiting');
  for (let n = 0; n < 12; n++) {
    const id = store.snapshots.open(`commit ${n}`);
    put(store, id, version('a.py', `h${n}`, [chunk('f', 'def f(): pass')]));
    store.snapshots.markComplete(id);
  }
  store.collectGarbage();
  assert.equal(store.snapshots.getState(waiting).complete, false);
  put(store, waiting, version('a.py', 'h', [chunk('f', 'def f(): pass')]));
  store.close();
});

test('a damaged lock file is repaired, and two processes still exclude each other', async () => {
  new Store(folder).close();
  writeFileSync(join(folder, 'writer.lock'), 'garbage, '.repeat(1000));
  const [first, second] = [new Store(folder), new Store(folder)];
  await first.lock.hold(async () => {
    await assert.rejects(
      second.lock.hold(async () => {}, 0),
      (error) => error instanceof LocusError && error.code === 'busy',
    );
  });
  await second.lock.hold(async () => {});
  assert.match(first.notes[0], /writer\.lock was damaged/);
  assert.equal(statSync(join(folder, 'writer.lock')).size, 512);
  first.close();
  second.close();
});

test('changed or missing rows are damage', () => {
  const store = new Store(folder);
  const snapshot = store.snapshots.open(null);
  const id = put(store, snapshot, version('a.py', 'h1', [chunk('f', 'def f(): pass')]));
  const [{ id: f }] = store.versions.getChunks(id);
  const edge = { caller: f, callee: f, kind: 'call', guess: false, sites: [] } as const;
  store.edges.replace(snapshot, [f], [{ ...edge, sites: [] }]);
  const other = new Sqlite(store.path);
  const damaged = (sql: string, read: () => unknown) => {
    other.exec('SAVEPOINT before');
    other.exec(sql);
    other.exec('RELEASE before');
    assert.throws(read, Damage, sql);
  };
  damaged("UPDATE version_data SET facts = x'00'", () => store.versions.getFacts(id));
  damaged("UPDATE version_data SET refs = x'00'", () => store.versions.getReferences(id));
  damaged("UPDATE version_data SET terms = x'00'", () => store.versions.getTermCounts(id));
  damaged("UPDATE version_data SET texts = x'00'", () => store.versions.getChunkText(f));
  damaged("UPDATE version_data SET chunks = x'00'", () => store.versions.getChunks(id));
  damaged('UPDATE file_versions SET count = 2', () => store.versions.getChunks(id));
  damaged("UPDATE edges SET edges = x'00'", () => [...store.edges.readAll(snapshot)]);
  damaged('DROP TRIGGER edge_removed; DELETE FROM edges', () => [...store.edges.readAll(snapshot)]);
  damaged('DROP TRIGGER snapshot_changed; UPDATE snapshots SET graph_dirty = 0', () =>
    store.snapshots.getState(snapshot),
  );
  damaged("UPDATE terms SET terms = 'shared\ng' WHERE first = 0", () => store.terms.reload());
  damaged('DROP TRIGGER file_removed; DELETE FROM snapshot_files', () =>
    store.snapshots.getFiles(snapshot),
  );
  other.close();
  store.close();
});

test('a failure with an external cause quarantines nothing', () => {
  const store = new Store(folder);
  for (const code of [
    'SQLITE_BUSY',
    'SQLITE_FULL',
    'SQLITE_IOERR_READ',
    'SQLITE_READONLY',
    'EACCES',
  ]) {
    const error = Object.assign(new Error('no'), { code });
    assert.equal(store.explainFailure(error), error);
  }
  const defect = new TypeError('undefined is not a function');
  assert.equal(store.explainFailure(defect), defect, 'a defect in Locus, of a sound index');
  assert.ok(!readdirSync(folder).some((name) => name.includes('damaged')));
  store.close();
});

test('a store whose file was moved away fails before it writes', () => {
  const [mine, other] = [new Store(folder), new Store(folder)];
  const damage = other.explainFailure(new Damage('a test'));
  assert.ok(damage instanceof DamagedIndex);
  assert.throws(() => mine.throwIfReplaced(), DamagedIndex);
  assert.ok(mine.explainFailure(new Damage('a test')) instanceof DamagedIndex);
  other.close();
  const next = new Store(folder);
  next.throwIfReplaced();
  assert.equal(next.checkIntegrity(), 'ok');
  mine.close();
  next.close();
  assert.equal(readdirSync(folder).filter((name) => /\.damaged-\d+$/.test(name)).length, 1);
});

test('opening an inaccessible index fails with its path and a remedy', () => {
  mock.method(fs, 'statSync', () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
  try {
    assert.throws(() => new Store(folder, 0, { revision: null }), {
      code: 'bad-store',
      message: /index\.db: access is denied \(EACCES/,
      remedy: /^Make it readable and writable, or choose another data directory/,
    });
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});
