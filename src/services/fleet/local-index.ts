/** Indexes one commit on a worker's machine, to make the fleet's rows. Unchanged files are not parsed or encoded again. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadManifest, readRowContents } from '../../engine/index.ts';
import type { FleetRowContent } from '../../shared/fleet-row.ts';
import { getIndexFolder } from '../locations.ts';
import { findModelFolder } from '../models.ts';
import { openRepository } from '../open-repository.ts';

interface LocalOptions {
  /** The user's data directory, which may hold their own models. */
  dataDir: string | undefined;
  /** The fleet's folder on this machine. */
  folder: string;
  signal?: AbortSignal;
}

/** Indexes a commit of a clone and returns the content of its rows. @throws LocusError as `openRepository` and `index` do */
export async function indexCommit(
  clone: string,
  revision: string,
  { dataDir, folder, signal }: LocalOptions,
): Promise<{ files: number; contents: Iterable<FleetRowContent> }> {
  const model = await findModelFolder({ dataDir });
  const repository = await openRepository(clone, {
    dataDir: folder,
    model,
    revision,
    // Only the newest commit is ever needed again.
    commitsKept: 1,
    signal,
  });
  const { files } = await repository.index({ signal }).finally(() => repository.close());
  const directory = getIndexFolder(folder, clone);
  const contents = await readRowContents(directory, revision, await loadManifest(model));
  return { files, contents };
}

/** Removes a clone and its index from this machine. A linked folder keeps its content. */
export function removeLocalClone(folder: string, key: string): void {
  const clone = join(folder, 'clones', key);
  if (!existsSync(clone)) return;
  rmSync(getIndexFolder(folder, clone), { recursive: true, force: true });
  // Removes a link, not its target.
  rmSync(clone, { recursive: true, force: true });
}

export function listLocalKeys(folder: string): string[] {
  const clones = join(folder, 'clones');
  return existsSync(clones) ? readdirSync(clones) : [];
}
