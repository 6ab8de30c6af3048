/* What comes from object storage is not trusted: here it is forged, damaged, or made to do harm. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Store } from '../../src/engine/store/store.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import {
  getCatalogKey,
  getManifestKey,
  getPartKey,
} from '../../src/services/shared-index/catalog.ts';
import type { Publisher } from '../../src/services/shared-index/keys.ts';
import {
  type ArchivePart,
  computeDigest,
  type IndexManifest,
  signManifest,
  verifyManifest,
} from '../../src/services/shared-index/manifest.ts';
import { readOwnPublisher } from '../../src/services/shared-index/publisher.ts';
import { findNearestIndex, pullIndex } from '../../src/services/shared-index/pull.ts';
import type { PullReport } from '../../src/shared/shared-index.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';
import { indexIn, keyOf, publishFrom, pullInto } from './laptops.ts';

await keepThreads();

interface Listed {
  entries: { key: string; engine: string; manifest: string; commit: string }[];
}

describe('a shared index', () => {
  const folder = temporaryFolder();
  const at = (...names: string[]) => join(folder, ...names);
  let root: string;
  let publisher: Publisher;
  let manifest0: IndexManifest;
  let readers = 0;
  before(async () => {
    root = gitRepository(syntheticPackage(6));
    await publishFrom(root, at('publisher'), at('sound'), { name: 'it' });
    publisher = await readOwnPublisher(at('publisher'), {});
    cpSync(at('sound'), at('shared'), { recursive: true });
    manifest0 = manifest();
  });
  after(() => {
    removeFolder(folder);
    removeFolder(root);
  });
  beforeEach(() => {
    removeFolder(at('shared'));
    cpSync(at('sound'), at('shared'), { recursive: true });
  });

  /** Creates the data directory of a new reader, who trusts the publisher. */
  const reader = () => at(`reader-${readers++}`);
  const path = (key: string) => at('shared', key);
  const listed = (): Listed => JSON.parse(readFileSync(path(getCatalogKey('it')), 'utf8'));
  const list = (content: Listed) =>
    writeFileSync(path(getCatalogKey('it')), JSON.stringify(content));
  const digest = () => listed().entries[0].manifest;
  const manifest = (): IndexManifest =>
    verifyManifest(
      readFileSync(path(getManifestKey(digest()))),
      digest(),
      new Set([publisher.key]),
    );

  /** Replaces the manifest by one that the publisher, or whoever has the key, signs. */
  function say(content: IndexManifest, by: Publisher = publisher): void {
    const bytes = signManifest(content, by);
    writeFileSync(path(getManifestKey(computeDigest(bytes))), bytes);
    const { entries } = listed();
    list({
      entries: entries.map((one) => ({ ...one, manifest: computeDigest(bytes), key: by.key })),
    });
  }

  function stored(raw: Buffer): ArchivePart {
    const bytes = zstdCompressSync(raw);
    const sha256 = computeDigest(bytes);
    mkdirSync(join(path(getPartKey(sha256)), '..'), { recursive: true });
    writeFileSync(path(getPartKey(sha256)), bytes);
    return { sha256, bytes: bytes.length, raw: raw.length };
  }

  const rawOf = ({ sha256 }: ArchivePart) =>
    zstdDecompressSync(readFileSync(path(getPartKey(sha256))));

  /** Replaces a part of the first group. */
  function replacePart(kind: 'files' | 'edges', change: (raw: string) => string): void {
    const content = manifest();
    const [first] = content.groups;
    first[kind] = stored(Buffer.from(change(rawOf(first[kind]).toString())));
    say(content);
  }

  /** Pulls as opening a repository does, but without an encoder. */
  async function take(directory: string, keys: readonly string[]): Promise<PullReport | null> {
    const objects = await openObjects(at('shared'));
    const options = { objects, keys: new Set(keys), name: 'it' };
    const head = git(root, 'rev-parse', 'HEAD');
    const place = { root, head, revision: null, directory, model: manifest0.models[0] };
    const nearest = await findNearestIndex(place, options);
    return nearest && (await pullIndex(place, nearest, options));
  }

  const publishAgain = () => publishFrom(root, at('publisher'), at('shared'), { name: 'it' });

  async function isRefused(message: RegExp): Promise<void> {
    const directory = reader();
    await assert.rejects(take(directory, [publisher.key]), { code: 'bad-objects', message });
    const known = /^(sound|shared|publisher|reader-\d+)$/;
    assert.deepEqual(
      readdirSync(folder).filter((name) => !known.test(name)),
      [],
    );
    if (!existsSync(directory)) return;
    const store = new Store(directory);
    assert.equal(store.snapshots.getState(store.snapshots.open(null)).complete, false);
    store.close();
  }

  it('is accepted if nothing is wrong', async () => {
    assert.equal((await take(reader(), [publisher.key]))?.files, 7);
  });

  it('of an untrusted publisher is rejected', async () => {
    await assert.rejects(
      take(reader(), [await keyOf(at('publisher-2'))]),
      /was published with the key ed25519:[\w-]{43}, which is not trusted here/,
    );
    removeFolder(at('publisher-2'));
  });

  it('signed by another key than in the catalog is rejected', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    say(manifest(), await readOwnPublisher(at('nowhere'), { LOCUS_PUBLISHER_KEY: pem }));
    list({ entries: listed().entries.map((one) => ({ ...one, key: publisher.key })) });
    await isRefused(/was published with the key ed25519:[\w-]{43}, which is not trusted here/);
  });

  it('with a signature of something else is rejected', async () => {
    const bytes = readFileSync(path(getManifestKey(digest())));
    const changed = Buffer.from(bytes.toString().replace('"chunks":', '"chunks": '));
    writeFileSync(path(getManifestKey(computeDigest(changed))), changed);
    list({
      entries: listed().entries.map((one) => ({ ...one, manifest: computeDigest(changed) })),
    });
    await isRefused(/its manifest has an invalid signature/);
  });

  it('without a signature is rejected', async () => {
    const payload = Buffer.from(JSON.stringify(manifest()));
    writeFileSync(path(getManifestKey(computeDigest(payload))), payload);
    list({
      entries: listed().entries.map((one) => ({ ...one, manifest: computeDigest(payload) })),
    });
    await isRefused(/its manifest is not signed/);
  });

  it('listed as another commit is rejected', async () => {
    say({ ...manifest(), commit: '0'.repeat(40) });
    await isRefused(/its manifest belongs to another commit/);
  });

  it('of another version of Locus is rejected with a remedy', async () => {
    list({ entries: listed().entries.map((one) => ({ ...one, engine: '1.1.1-old' })) });
    await assert.rejects(take(reader(), [publisher.key]), {
      message: /was created by another version of Locus/,
      remedy: /Use the version that publishes, or publish with this one/,
    });
  });

  it('with a part that is damaged, cut off or missing is rejected', async () => {
    const { sha256 } = manifest().groups[0].files;
    const bytes = readFileSync(path(getPartKey(sha256)));
    writeFileSync(
      path(getPartKey(sha256)),
      Buffer.from(bytes.map((byte, i) => (i === 99 ? ~byte : byte))),
    );
    await isRefused(/is damaged/);
    await publishAgain();
    await assert.rejects(take(reader(), [publisher.key]), { remedy: /^remove it there, then/ });
    removeFolder(path(getPartKey(sha256)));
    await publishAgain();
    await take(reader(), [publisher.key]);
    writeFileSync(path(getPartKey(sha256)), bytes.subarray(1));
    await isRefused(/is damaged/);
    writeFileSync(path(getPartKey(sha256)), Buffer.concat([bytes, bytes]));
    await isRefused(/is larger than [\d,]+ bytes/);
    removeFolder(path(getPartKey(sha256)));
    await isRefused(/is missing/);
  });

  it('with a part that unpacks to more than was signed is rejected', async () => {
    const content = manifest();
    const bomb = stored(Buffer.alloc(100_000_000));
    assert.ok(bomb.bytes < 20_000);
    content.groups[0].files = { ...bomb, raw: 1000 };
    say(content);
    await isRefused(/cannot be unpacked/);
  });

  it('with numbers beyond the limits is rejected', async () => {
    const content = manifest();
    content.groups[0].files.raw = 2 ** 40;
    assert.throws(() => signManifest(content, publisher));
    const payload = Buffer.from(JSON.stringify(content));
    const signed = Buffer.concat([Buffer.from('locus-index 1\n'), payload]);
    const head = `locus-index 1\n${publisher.key}\n${publisher.sign(signed).toString('base64')}\n`;
    const bytes = Buffer.concat([Buffer.from(head), payload]);
    writeFileSync(path(getManifestKey(computeDigest(bytes))), bytes);
    list({ entries: listed().entries.map((one) => ({ ...one, manifest: computeDigest(bytes) })) });
    await isRefused(/its manifest is invalid/);
  });

  it('with paths that lead out of the repository is rejected', async () => {
    for (const bad of [
      '../../outside.py',
      '/etc/outside.py',
      'a/./b.py',
      'a//b.py',
      '.git/hooks/x.py',
    ]) {
      replacePart('files', (raw) => raw.replace('"pkg/module_1.py"', JSON.stringify(bad)));
      await isRefused(/not a path inside a repository/);
      assert.equal(existsSync(at('outside.py')), false);
    }
  });

  it('that is rejected is replaced by indexing', async () => {
    replacePart('edges', (raw) => raw.replace('"call"', '"fall"'));
    const dataDir = reader();
    const pulled = pullInto(root, dataDir, at('shared'), [publisher.key], 'it');
    await assert.rejects(pulled, {
      code: 'bad-objects',
      message: /the calls are invalid \(/,
    });
    await indexIn(root, dataDir);
    await indexIn(root, reader());
    assertSameIndex(dataDir, at(`reader-${readers - 1}`));
  });

  it('with facts that no parser makes is rejected', async () => {
    const edits: [RegExp, string, RegExp][] = [
      [/"lines":\d+/g, '"lines":1', /has functions beyond its end/],
      [/"parser":"[^"]+"/, '"parser":"python 0-000000000000"', /was parsed by another version/],
      [/"function"/, '"monster"', /the files are invalid \(/],
      [/"terms":\[[^\]]*\]/g, '"terms":[]', /the words of .* do not match its functions/],
      [/"facts":"/, '"facts":"[', /the references in .* are invalid/],
      [/^\[/, '[{},', /the files are invalid \(/],
      [/"pkg\/module_1.py"/, String.raw`"pkg/\ud800.py"`, /not a path inside a repository/],
      [/"terms":\["/, String.raw`"terms":["\udfff`, /not well-formed text/],
      [/\\"scope\\":0/, String.raw`\"scope\":99`, /the references in .* are invalid/],
      [/"lines":\d+/g, '"lines":4000000000', /has more lines than characters/],
      [/^\[/, '', /the files are invalid JSON or too large/],
    ];
    for (const [from, to, message] of edits) {
      removeFolder(at('shared'));
      cpSync(at('sound'), at('shared'), { recursive: true });
      replacePart('files', (raw) => raw.replace(from, to));
      await isRefused(message);
    }
  });

  it('with calls from and to missing chunks is rejected', async () => {
    replacePart('edges', (raw) =>
      raw.replace(/\["pkg\/module_1\.py","[^"]+",0\]/, '["pkg/module_1.py","Nobody",0]'),
    );
    await isRefused(/a call has a target in pkg\/module_1\.py that does not exist/);
  });

  it('with calls from beyond the end of a file is rejected', async () => {
    replacePart('edges', (raw) => raw.replace(/\[\d+,(\d+)\],\[\]\]/, '[4000000,$1],[]]'));
    await isRefused(/a call in .* is beyond the end of the file/);
  });

  it('with a registration that has no key is rejected', async () => {
    replacePart('edges', (raw) => raw.replace('"call"', '"register"'));
    await isRefused(/the calls are invalid \(/);
  });

  it('with more or less than its manifest counts is rejected', async () => {
    const content = manifest();
    for (const [what, by, message] of [
      ['files', 1, /has fewer files, functions or calls/],
      ['files', -1, /has more files, functions or calls/],
      ['edges', 1, /has fewer files, functions or calls/],
      ['edges', -1, /has more files, functions or calls/],
    ] as const) {
      say({ ...content, [what]: content[what] + by });
      await isRefused(message);
    }
  });

  it('with two sizes for one part is rejected', async () => {
    const content = manifest();
    const { files } = content.groups[0];
    say({ ...content, commits: [...content.commits, { ...files, raw: files.raw + 1 }] });
    await isRefused(/gives two sizes for one part/);
  });

  it('with calls of other files is rejected', async () => {
    replacePart('edges', (raw) =>
      raw.replace('"files":[{"path":"pkg/', '"files":[{"path":"other/'),
    );
    await isRefused(/the calls do not match the files/);
  });

  it('with invalid embeddings is rejected', async () => {
    const content = manifest();
    const [group] = content.groups;
    group.embeddings = [stored(Buffer.alloc(rawOf(group.embeddings[0]).length, 1))];
    say(content);
    await isRefused(/an embedding is invalid/);
    group.embeddings = [stored(rawOf(manifest().groups[0].embeddings[0]).subarray(2))];
    say(content);
    await isRefused(/wrong number of embeddings of/);
  });

  it('without readable entries is ignored', async () => {
    writeFileSync(path(getCatalogKey('it')), '{"entries":[1,null,{"commit":"x"}]}');
    assert.equal(await take(reader(), [publisher.key]), null);
  });

  it('with something else in place of the catalog is rejected', async () => {
    const bomb = '['.repeat(1_000_000);
    for (const content of ['', '{}', '[]', '{"entries":{}}', bomb]) {
      writeFileSync(path(getCatalogKey('it')), content);
      await isRefused(/is not a catalog of published indexes\./);
    }
  });

  it('with a login page in place of the catalog is rejected', async () => {
    writeFileSync(path(getCatalogKey('it')), '\n<!DOCTYPE html><html><title>Sign in</title>');
    await isRefused(/returned a web page instead of an object of Locus\./);
  });
});
