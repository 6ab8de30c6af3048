/** A fleet: its list of repositories in object storage, and its engine. Nothing of it is reached but what was set up. */

import { join } from 'node:path';
import { pause } from '../../base/cancel.ts';
import { loadManifest, modelKey } from '../../engine/index.ts';
import { dataDirectory } from '../locations.ts';
import { modelFolder } from '../models.ts';
import { openObjects } from '../objects/open.ts';
import { Catalog, type Entry } from './catalog.ts';
import { Engine } from './engine.ts';
import { localKeys, removeLocal } from './local-index.ts';
import type { FleetAccess } from './setup.ts';

/** What an open fleet consists of. */
export interface Fleet extends AsyncDisposable {
  catalog: Catalog;
  engine: Engine;
  /** The model of its embeddings, as the store names it. */
  model: string;
  /** What is kept of it on this machine: clones, and indexes of them. */
  folder: string;
  dataDir: string | undefined;
}

export const openCatalog = async ({ objects }: { objects: string }): Promise<Catalog> =>
  new Catalog(await openObjects(objects));

/** Connects to both. @throws LocusError `bad-input`, `bad-objects`, `bad-model`, `not-fetched`. */
export async function openFleet(options: FleetAccess): Promise<Fleet> {
  const { dataDir, token, engine: address } = options;
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
      [Symbol.asyncDispose]: async () => {
        await engine.close();
        catalog[Symbol.dispose]();
      },
    };
  } catch (error) {
    catalog[Symbol.dispose]();
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
    await pause(1000 * value.lease.seconds, signal, 'Removing the repository');
    await engine.removeAll(key);
  }
  await catalog.forget(key, signal);
  removeLocal(folder, key);
}

/** Removes the clones of repositories that were taken out meanwhile. */
export function removeStrayClones(fleet: Fleet, entries: ReadonlyMap<string, Entry>): void {
  for (const key of localKeys(fleet.folder)) if (!entries.has(key)) removeLocal(fleet.folder, key);
}
