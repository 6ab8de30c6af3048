import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LOCK_FILE, WriterLock } from '../engine/store/writer-lock.ts';
import { notedRoot } from '../services/index-root.ts';
import { INDEXES_FOLDER, indexFolderName } from '../services/locations.ts';
import { LocusError } from '../shared/errors.ts';
import type { StoredIndex } from '../shared/indexing.ts';

const REMOVE = { recursive: true, force: true, maxRetries: 3 };

/** Indexes in the data directory, the largest first. `roots`: the repositories that are known, whose names are told by. */
export async function listStoredIndexes(
  dataDir: string,
  roots: readonly string[],
): Promise<StoredIndex[]> {
  const rootOf = new Map(roots.map((root) => [indexFolderName(root), root]));
  const home = join(dataDir, INDEXES_FOLDER);
  const names = existsSync(home) ? await readdir(home) : [];
  const indexes = await Promise.all(
    names.map(async (id) => {
      const root = rootOf.get(id) ?? notedRoot(join(home, id), id);
      // Without its root, the folder's name still says most of it: <name>-<digest>.
      const name = root ? basename(root) : id.replace(/-[0-9a-f]{12}$/, '');
      return { id, root, name, bytes: await bytesIn(join(home, id)) };
    }),
  );
  return indexes.sort((a, b) => b.bytes - a.bytes);
}

/** @throws LocusError `busy` when another process is writing it, or the system does not let go of it. */
export async function removeStoredIndex(dataDir: string, id: string): Promise<void> {
  const folder = join(dataDir, INDEXES_FOLDER, id);
  if (!existsSync(folder)) return;
  const lock = new WriterLock(join(folder, LOCK_FILE));
  try {
    await lock.hold(() => removeContents(folder), 0).finally(() => lock.close());
    await rm(folder, REMOVE);
  } catch (error) {
    if (error instanceof LocusError) {
      throw new LocusError(
        'busy',
        `the index of ${id} is being written by another Locus process`,
        'wait until that has finished, or stop it, and clear the index again',
        { cause: error },
      );
    }
    throw new LocusError(
      'busy',
      `${folder} cannot be removed: ${(error as Error).message}`,
      'close other programs that use it and try again',
      { cause: error },
    );
  }
}

/** All but the lock, which is held meanwhile. */
async function removeContents(folder: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !name.startsWith(LOCK_FILE));
  await Promise.all(others.map((name) => rm(join(folder, name), REMOVE)));
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0, // It went away meanwhile, as SQLite's journals do.
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
