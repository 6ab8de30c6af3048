/**
 * An attacker can write to the storage of shared indexes. Whatever they store, opening a repository gives the same index as without
 * it, and nothing outside the storage is read or changed.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import { getCatalogKey, getManifestKey } from '../../src/services/shared-index/catalog.ts';
import {
  computeDigest,
  signManifest,
  verifyManifest,
} from '../../src/services/shared-index/manifest.ts';
import { readOwnPublisher } from '../../src/services/shared-index/publisher.ts';
import { keyOf, publishFrom } from '../shared-index/laptops.ts';
import { assertSameIndex } from '../support/dump.ts';
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

const NAME = 'it';
const ROUNDS = scaleRounds(6);
/** Factor for a budget that is used up within a second. */
const SMALL_BUDGET = 0.05;
const MAX_GROWTH = 300 * 2 ** 20;
const NEVER_READ = new Date('2001-01-01');

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const place = at('place');
const canary = at('canary');
const draw = uniform();
const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;

let root: string;
let key: string;
let readers = 0;

before(async () => {
  root = gitRepository(syntheticPackage(10));
  await publishFrom(root, at('publisher'), at('older'), { name: NAME });
  writeFiles(root, { 'pkg/module_3.py': 'def newer():\n    """Newer."""\n    return 3\n' });
  git(root, 'commit', '-qam', 'Newer');
  cpSync(at('older'), at('sound'), { recursive: true });
  await publishFrom(root, at('publisher'), at('sound'), { name: NAME });
  key = await keyOf(at('publisher'));
  await open(at('alone'), null);
});
after(() => {
  for (const one of [folder, root]) removeFolder(one);
});
beforeEach(putSound);
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Restores the valid storage, and the files beside it that must not be touched. */
function putSound(): void {
  rmSync(place, { recursive: true, force: true });
  rmSync(canary, { recursive: true, force: true });
  cpSync(at('sound'), place, { recursive: true });
  // Valid content, so that a reader that follows a link would accept it.
  cpSync(at('sound'), canary, { recursive: true });
  for (const path of filesIn(canary)) utimesSync(path, NEVER_READ, NEVER_READ);
}

const filesIn = (top: string): string[] =>
  readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Returns names, times and contents. Access times are read before the contents. */
function describeCanary(): string[] {
  const times = filesIn(canary).map((path) => [path, statSync(path)] as const);
  return times.map(([path, { atimeMs, mtimeMs, mode }]) =>
    [relative(canary, path), atimeMs, mtimeMs, mode].join(' '),
  );
}

const hashesOfCanary = () => filesIn(canary).map((path) => hash('sha256', readFileSync(path)));

/** Opens and indexes a repository, as a user's first command does. Returns the notes. */
async function open(dataDir: string, from: string | null, budgetFactor = 1): Promise<string> {
  const shared = from === null ? null : { from, keys: [key], name: NAME, budgetFactor };
  const repository = await openRepository(root, { dataDir, device: 'cpu', shared });
  try {
    return (await repository.index()).notes.join('\n');
  } finally {
    await repository.close();
  }
}

/** Opens a repository with the current storage, and compares. Returns true if a shared index was used. */
async function opensCorrectly(
  from = place,
  budgetFactor = 1,
): Promise<{ isTaken: boolean; notes: string }> {
  const dataDir = at(`reader-${readers++}`);
  const before = describeCanary();
  const memory = process.memoryUsage.rss();
  const notes = await open(dataDir, from, budgetFactor);
  const growth = process.memoryUsage.rss() - memory;
  assert.ok(growth < MAX_GROWTH, `grew by ${growth} bytes`);
  assert.deepEqual(describeCanary(), before, 'something outside was read or changed');
  assertSameIndex(dataDir, at('alone'));
  removeFolder(dataDir);
  const isTaken = /^Used the shared index of /.test(notes);
  assert.ok(isTaken || notes === '' || /was not used/.test(notes), notes);
  return { isTaken, notes };
}

const catalog = () => join(place, getCatalogKey(NAME));
const manifests = () => filesIn(join(place, 'locus-index-1/manifests'));
const parts = () => filesIn(join(place, 'locus-index-1/parts'));
const newest = () =>
  join(place, getManifestKey(JSON.parse(readFileSync(catalog(), 'utf8')).entries[0].manifest));

/** Replacements for a file or folder. */
const KINDS: Record<string, (path: string) => unknown> = {
  'a link to a sound one': (path) => symlinkSync(join(canary, relative(place, path)), path),
  'a link to nothing': (path) => symlinkSync(at('nothing'), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a device': (path) => execFileSync('mknod', [path, 'c', '1', '5']),
  'a socket': (path) => new Promise<void>((done) => createServer().unref().listen(path, done)),
  'a folder': (path) => mkdirSync(path),
  'a file of 10 GB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 10 * 2 ** 30);
  },
  'a file without permissions': (path) => {
    writeFileSync(path, '{"entries":[]}');
    chmodSync(path, 0);
  },
  nothing: () => {},
};

const TARGETS: Record<string, () => string> = {
  'the list': catalog,
  'a manifest': newest,
  'a part': () => pick(parts()),
  'the lock': () => join(place, '.lock'),
  'the folder of lists': () => dirname(catalog()),
  'the folder of parts': () => join(place, 'locus-index-1/parts'),
  'the top folder': () => join(place, 'locus-index-1'),
};

/** Changes to the content of a file. */
const CHANGES: Record<string, (bytes: Buffer) => Buffer> = {
  'a flipped byte': (bytes) => {
    const position = Math.floor(draw() * bytes.length);
    return Buffer.from(
      bytes.map((byte, i) => (i === position ? byte ^ (1 << (draw() * 8)) : byte)),
    );
  },
  'a cut': (bytes) => bytes.subarray(0, Math.floor(draw() * bytes.length)),
  'more at the end': (bytes) => Buffer.concat([bytes, bytes]),
  'other bytes': (bytes) => Buffer.from(bytes.map(() => 256 * draw())),
  'no bytes': () => Buffer.alloc(0),
  'a login page': () => Buffer.from('<!doctype html><html><body>Sign in</body></html>'),
  brackets: () => Buffer.alloc(2 ** 20, '['),
};

/** Changes to valid files by somebody who can write to the storage. */
const TAMPERINGS: Record<string, () => void | Promise<void>> = {
  'the list is the older one': () => cpSync(join(at('older'), getCatalogKey(NAME)), catalog()),
  'the list names the older manifest for the newer commit': () => {
    const list = JSON.parse(readFileSync(catalog(), 'utf8'));
    const [newer, older] = list.entries;
    list.entries = [{ ...newer, manifest: older.manifest }];
    writeFileSync(catalog(), JSON.stringify(list));
  },
  'two parts are swapped': () => {
    const [one, other] = [pick(parts()), pick(parts())];
    const bytes = readFileSync(one);
    writeFileSync(one, readFileSync(other));
    writeFileSync(other, bytes);
  },
  'a manifest has the name of another': () => {
    const [one, other] = manifests();
    cpSync(one as string, other as string);
  },
  'the manifest is signed by somebody else': async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const bytes = readFileSync(newest());
    const content = verifyManifest(bytes, computeDigest(bytes), new Set([key]));
    const forged = signManifest(
      { ...content, files: 0 },
      await readOwnPublisher(at('nowhere'), { LOCUS_PUBLISHER_KEY: pem }),
    );
    writeFileSync(join(place, getManifestKey(computeDigest(forged))), forged);
    const list = JSON.parse(readFileSync(catalog(), 'utf8'));
    list.entries[0].manifest = computeDigest(forged);
    writeFileSync(catalog(), JSON.stringify(list));
  },
};

/** Replaces a file or folder. Devices need a privilege that not every test run has. */
async function replace(path: string, kind: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  try {
    await KINDS[kind]?.(path);
  } catch (error) {
    if (kind !== 'a device') throw error;
  }
}

async function drawAttack(): Promise<string> {
  const tampered = draw();
  if (tampered < 0.2) {
    const what = pick(Object.keys(TAMPERINGS));
    await TAMPERINGS[what]?.();
    return what;
  }
  if (tampered < 0.5) {
    const [target, change] = [
      pick(['the list', 'a manifest', 'a part']),
      pick(Object.keys(CHANGES)),
    ];
    const path = TARGETS[target]?.() ?? '';
    writeFileSync(path, CHANGES[change]?.(readFileSync(path)) ?? '');
    return `${change} in ${target}`;
  }
  const [target, kind] = [pick(Object.keys(TARGETS)), pick(Object.keys(KINDS))];
  await replace(TARGETS[target]?.() ?? '', kind);
  return `${kind} in place of ${target}`;
}

describe('storage of shared indexes', () => {
  it('is used if nobody tampered with it', async () => {
    assert.equal((await opensCorrectly()).isTaken, true);
  });

  it('has a control that notices a reader that follows a link', async () => {
    const before = describeCanary();
    symlinkSync(join(canary, getCatalogKey(NAME)), at('link'));
    readFileSync(at('link'));
    assert.notDeepEqual(describeCanary(), before);
    rmSync(at('link'));
  });

  it('is used if the user named it by a symbolic link', async () => {
    symlinkSync(place, at('named'));
    assert.equal((await opensCorrectly(at('named'))).isTaken, true);
    rmSync(at('named'));
  });

  // Each kind is tried once for a file that is always read. The rest is random.
  for (const kind of Object.keys(KINDS)) {
    it(`is ignored with ${kind} in place of the catalog`, async () => {
      await replace(catalog(), kind);
      assert.equal((await opensCorrectly()).isTaken, false);
    });
  }

  it(`leads to the same index after ${ROUNDS} random attacks`, async (t) => {
    const outcomes = { taken: 0, refused: 0 };
    const hashes = hashesOfCanary();
    for (let round = 0; round < ROUNDS; round++) {
      putSound();
      const attack = await drawAttack();
      try {
        const { isTaken } = await opensCorrectly();
        outcomes[isTaken ? 'taken' : 'refused']++;
      } catch (error) {
        throw new Error(`seed ${SEED}, round ${round}: ${attack}`, { cause: error });
      }
      assert.deepEqual(hashesOfCanary(), hashes);
    }
    assert.ok(outcomes.refused > 0);
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(outcomes)}`);
  });
});

describe('storage of shared indexes on a web server', () => {
  /** Serves the storage, and answers some requests by `attack`. Returns true if a shared index was used. */
  async function served(
    budgetFactor: number,
    slow: (path: string) => 'sound' | 'drip' | 'stall',
  ): Promise<boolean> {
    const server = createHttpServer((request, response) => {
      const path = join(place, request.url ?? '');
      const how = slow(path);
      if (how === 'stall') return;
      const bytes = readFileSync(path);
      if (how === 'sound') {
        response.end(bytes);
        return;
      }
      let sent = 0;
      const timer = setInterval(() => response.write(bytes.subarray(sent, ++sent)), 50);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    try {
      return (await opensCorrectly(`http://127.0.0.1:${port}/`, budgetFactor)).isTaken;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('is used if it answers', async () => {
    assert.equal(await served(1, () => 'sound'), true);
  });

  for (const how of ['drip', 'stall'] as const) {
    for (const what of ['repositories', 'manifests', 'parts']) {
      it(`is abandoned when the budget is used up if it ${how}s ${what}`, async () => {
        assert.equal(
          await served(SMALL_BUDGET, (path) => (path.includes(what) ? how : 'sound')),
          false,
        );
      });
    }
  }
});
