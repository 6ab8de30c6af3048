/** Operations on data that several machines share: publishing and pulling indexes, and the objects of a fleet. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { INDEX_FORMAT } from '../../../src/engine/portable/version.ts';
import { openTree } from '../../../src/engine/source/open.ts';
import {
  FleetCatalog,
  type FleetEntry,
  makeRepositoryKey,
} from '../../../src/services/fleet/catalog.ts';
import { Lease } from '../../../src/services/fleet/lease.ts';
import { FolderObjects } from '../../../src/services/objects/folder-objects.ts';
import { addToCatalog, readCatalog } from '../../../src/services/shared-index/catalog.ts';
import { publishIndex } from '../../../src/services/shared-index/publish.ts';
import { readOwnPublisher } from '../../../src/services/shared-index/publisher.ts';
import { findNearestIndex, pullIndex } from '../../../src/services/shared-index/pull.ts';
import { assertPresent } from '../../../src/shared/assert-present.ts';
import { dumpIndex } from '../../support/dump.ts';
import type { Digest, Operation } from '../../support/operation.ts';
import { git, gitRepository, syntheticPackage } from '../../support/repository.ts';
import { SmallProcess } from '../../support/small-index.ts';

const NAME = 'example.test/acme/shop';
const MODEL = { key: 'quick@1', dimensions: 20 };
const repositoryIn = (folder: string) => join(folder, 'repository');
const objectsIn = (folder: string) => new FolderObjects(join(folder, 'shared'));
const publisherIn = (folder: string) => readOwnPublisher(join(folder, 'publisher'), {});
const headIn = (folder: string) => git(repositoryIn(folder), 'rev-parse', 'HEAD');

/** Makes a repository and an index of its commit. */
async function makeIndex(folder: string): Promise<void> {
  mkdirSync(repositoryIn(folder));
  gitRepository(syntheticPackage(6), repositoryIn(folder));
  const tree = await openTree(repositoryIn(folder), { revision: 'HEAD' });
  const small = new SmallProcess(join(folder, 'index'), tree, Math.random);
  await small.run();
  await small.close();
  await tree.close();
  await publisherIn(folder);
}

/** Adds the index to the catalog as another publisher, too. */
async function publishAsAnother(folder: string): Promise<void> {
  const others = { folder: '', engine: INDEX_FORMAT, version: '1', key: 'ed25519:another' };
  const entry = { ...others, commit: '0'.repeat(40), manifest: '0'.repeat(64) };
  await addToCatalog(objectsIn(folder), NAME, entry);
}

async function publishFrom(folder: string): Promise<void> {
  const place = {
    root: repositoryIn(folder),
    commit: headIn(folder),
    directory: join(folder, 'index'),
  };
  const publisher = await publisherIn(folder);
  await publishIndex(place, { objects: objectsIn(folder), publisher, name: NAME });
}

/** Returns all objects, by content, and the catalog entries. */
async function publishedIn(folder: string): Promise<Digest> {
  const objects = objectsIn(folder);
  const stored: string[] = [];
  for (const entry of readdirSync(objects.name, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const key = relative(objects.name, join(entry.parentPath, entry.name));
    const { bytes } = assertPresent(await objects.get(key), key);
    const sum = createHash('sha256').update(bytes).digest('hex');
    if (!key.includes('/repositories/')) assert.equal(basename(key), sum, 'named by its content');
    stored.push(key);
  }
  const { entries } = await readCatalog(objects, NAME);
  return { objects: stored.sort(), entries: entries.map((entry) => JSON.stringify(entry)).sort() };
}

const FLEET: FleetEntry[] = ['shop', 'billing'].map((name) => ({
  name: `example.test/acme/${name}`,
  url: `https://example.test/acme/${name}.git`,
  ref: null,
  forge: null,
}));

async function workOnFleet(folder: string): Promise<void> {
  const catalog = new FleetCatalog(objectsIn(folder));
  await catalog.add(FLEET);
  for (const key of FLEET.map(makeRepositoryKey)) {
    const lease = await Lease.take(catalog, key, await catalog.readState(key), {
      worker: 'one',
      seconds: 60,
    });
    const commit = 'a'.repeat(40);
    await lease?.announce(commit);
    const { generation = 0 } = lease ?? {};
    const indexed = { commit, generation, model: 'm', rows: 3, files: 2, at: null };
    await lease?.finish({ indexed, failure: null });
  }
}

export default {
  'an index that is published': {
    async prepare(folder) {
      await makeIndex(folder);
      await publishAsAnother(folder);
    },
    run: publishFrom,
    digest: publishedIn,
    writeLater: (folder) => objectsIn(folder).put('later', Buffer.from('later'), null),
  },
  'an index that is taken': {
    async prepare(folder) {
      await makeIndex(folder);
      await publishFrom(folder);
    },
    async run(folder) {
      const root = repositoryIn(folder);
      const head = headIn(folder);
      const keys = new Set([(await publisherIn(folder)).key]);
      const options = { objects: objectsIn(folder), keys, name: NAME };
      const nearest = assertPresent(await findNearestIndex({ root, head }, options), 'an index');
      const directory = join(folder, 'reader/repositories/small');
      await pullIndex({ root, head, revision: null, directory, model: MODEL }, nearest, options);
    },
    digest: (folder) => dumpIndex(join(folder, 'reader')),
  },
  'repositories of a fleet': {
    prepare: (folder) => new FleetCatalog(objectsIn(folder)).add(FLEET.slice(0, 1)).then(() => {}),
    run: workOnFleet,
    writeLater: (folder) => objectsIn(folder).put('later', Buffer.from('later'), null),
    async digest(folder) {
      const catalog = new FleetCatalog(objectsIn(folder));
      const states = await Promise.all(
        FLEET.map(makeRepositoryKey).map(async (key) => (await catalog.readState(key)).value),
      );
      return {
        entries: [...(await catalog.listEntries()).values()].map(({ name }) => name).sort(),
        // The generation counts killed runs too, so it may differ.
        states: states.map(({ indexed, lease, failure, removing }) =>
          JSON.stringify({ indexed: { ...indexed, generation: 0 }, lease, failure, removing }),
        ),
      };
    },
  },
} satisfies Record<string, Operation>;
