/** A fleet: its list of repositories in object storage, and its engine. Nothing of it is reached but what was set up. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadManifest } from '../../engine/encode/manifest.ts';
import { modelKey } from '../../engine/snapshot/encoder-document.ts';
import { LocusError } from '../../shared/errors.ts';
import type { FleetPlaces } from '../../shared/fleet.ts';
import { isLoopback } from '../../shared/loopback.ts';
import { dataDirectory } from '../locations.ts';
import { modelFolder } from '../models.ts';
import { openObjects } from '../objects/open.ts';
import { Catalog, type Entry } from './catalog.ts';
import { Engine } from './engine.ts';
import { localKeys, removeLocal } from './local-index.ts';

export interface FleetOptions {
  /** Where the list is: a folder or `s3://…`, see `openObjects`. */
  objects?: string | undefined;
  /** Milvus' address. */
  engine?: string | undefined;
  token?: string | undefined;
  dataDir?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What an open fleet consists of. */
export interface Fleet {
  catalog: Catalog;
  engine: Engine;
  /** The model of its embeddings, as the store names it. */
  model: string;
  /** What is kept of it on this machine: clones, and indexes of them. */
  folder: string;
  /** The user's data directory. */
  dataDir: string | undefined;
  close(): Promise<void>;
}

/** What was set up, by options or by variables. @throws LocusError `bad-input` where the list's place is not said. */
export function fleetOptions(
  given: FleetOptions,
  env: Environment,
): FleetOptions & { objects: string } {
  const objects = given.objects ?? env.LOCUS_FLEET_OBJECTS;
  if (!objects) {
    throw new LocusError(
      'bad-input',
      'no fleet is set up',
      'say where its list is, in --objects or LOCUS_FLEET_OBJECTS, and its engine, in --engine or LOCUS_FLEET_ENGINE: docs/fleet.md',
    );
  }
  return {
    ...given,
    objects,
    engine: given.engine ?? env.LOCUS_FLEET_ENGINE ?? 'http://127.0.0.1:19530',
    token: given.token ?? env.LOCUS_FLEET_TOKEN,
  };
}

/** Where the fleet is that the environment sets up; null for none. Nothing is reached. */
export function fleetPlaces(env: Environment): FleetPlaces | null {
  if (!env.LOCUS_FLEET_OBJECTS) return null;
  const { objects, engine = '' } = fleetOptions({}, env);
  const { hostname = '' } = URL.parse(engine) ?? {};
  return { objects, engine, isLocal: isLoopback(hostname) };
}

/** The list alone, for what asks no engine. */
export async function openCatalog({ objects }: { objects: string }): Promise<Catalog> {
  return new Catalog(await openObjects(objects));
}

/** Connects to both. @throws LocusError `bad-input`, `bad-objects`, `bad-model`, `not-fetched`. */
export async function openFleet(options: FleetOptions & { objects: string }): Promise<Fleet> {
  const { dataDir, token, engine: address = '' } = options;
  const { id, version, dimensions } = await loadManifest(await modelFolder({ dataDir }));
  const model = modelKey(id, version);
  const catalog = await openCatalog(options);
  try {
    const engine = await Engine.open({ address, token, model, dimensions });
    return {
      catalog,
      engine,
      model,
      folder: join(dataDirectory(dataDir), 'fleet'),
      dataDir,
      close: async () => {
        await engine.close();
        catalog.close();
      },
    };
  } catch (error) {
    catalog.close();
    throw error;
  }
}

/**
 * Takes a repository out of the fleet, with all that was stored of it: its rows, what became of it, its place in the list, and its clone on
 * this machine; other workers remove theirs when they next run. Who works on it loses it. It is out of searches from the first moment.
 */
export async function removeRepository(
  fleet: Fleet,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const { catalog, engine, folder } = fleet;
  const { value } = await catalog.state(key, signal);
  await catalog.update(key, (state) => ({ ...state, removing: true, lease: null }), signal);
  await engine.removeAll(key);
  // Its worker learns of it before it writes again, but a batch may be on its way.
  if (value.lease) {
    await sleep(1000 * value.lease.seconds, undefined, signal && { signal });
    await engine.removeAll(key);
  }
  await catalog.forget(key, signal);
  removeLocal(folder, key);
}

/** Removes the clones of repositories that were taken out meanwhile. */
export function removeStrayClones(fleet: Fleet, entries: ReadonlyMap<string, Entry>): void {
  for (const key of localKeys(fleet.folder)) if (!entries.has(key)) removeLocal(fleet.folder, key);
}
