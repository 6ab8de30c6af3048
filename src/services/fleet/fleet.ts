/** Opens a fleet: its catalog in object storage, and its engine. */

import { join } from 'node:path';
import { pause } from '../../base/cancel.ts';
import { getModelKey, loadManifest } from '../../engine/index.ts';
import { getDataDirectory } from '../locations.ts';
import { findModelFolder } from '../models.ts';
import { openObjects } from '../objects/open.ts';
import { FleetCatalog, type FleetEntry } from './catalog.ts';
import { FleetEngine } from './engine.ts';
import { listLocalKeys, removeLocalClone } from './local-index.ts';
import type { FleetConnection } from './setup.ts';

/** An open fleet. */
export interface Fleet extends AsyncDisposable {
  catalog: FleetCatalog;
  engine: FleetEngine;
  /** Key of the model that makes the embeddings. */
  model: string;
  /** Folder on this machine with clones and their indexes. */
  folder: string;
  dataDir: string | undefined;
}

export const openCatalog = async ({ objects }: { objects: string }): Promise<FleetCatalog> =>
  new FleetCatalog(await openObjects(objects));

/** Connects to the catalog and the engine. @throws LocusError `bad-input`, `bad-objects`, `bad-model`, `not-fetched` */
export async function openFleet(options: FleetConnection): Promise<Fleet> {
  const { dataDir, token, engine: address } = options;
  const { id, version, dimensions } = await loadManifest(await findModelFolder({ dataDir }));
  const model = getModelKey(id, version);
  const catalog = await openCatalog(options);
  try {
    const engine = await FleetEngine.open({ address, token, model, dimensions });
    return {
      catalog,
      engine,
      model,
      folder: join(getDataDirectory(dataDir), 'fleet'),
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
 * Removes a repository from the fleet: its rows, its state, its entry in the catalog, and its clone on this machine. Other workers
 * remove their clones when they next run. A worker that is indexing it loses its lease. Searches omit it at once.
 */
export async function removeRepository(
  fleet: Fleet,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const { catalog, engine, folder } = fleet;
  const { value } = await catalog.readState(key, signal);
  await catalog.updateState(key, (state) => ({ ...state, removing: true, lease: null }), signal);
  await engine.removeAll(key);
  // The worker notices before its next write, but a batch may already be on its way.
  if (value.lease) {
    await pause(1000 * value.lease.seconds, signal, 'Removing the repository');
    await engine.removeAll(key);
  }
  await catalog.remove(key, signal);
  removeLocalClone(folder, key);
}

/** Removes the local clones of repositories that are no longer in the fleet. */
export function removeUnlistedClones(fleet: Fleet, entries: ReadonlyMap<string, FleetEntry>): void {
  for (const key of listLocalKeys(fleet.folder))
    if (!entries.has(key)) removeLocalClone(fleet.folder, key);
}
