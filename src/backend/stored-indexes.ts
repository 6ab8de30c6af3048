import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deleteIndex } from '../engine/index.ts';
import { INDEXES_FOLDER, indexFolderName } from '../services/locations.ts';
import { notedRoot } from '../services/open-repository.ts';
import type { StoredIndex } from '../shared/indexing.ts';

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

/** @throws LocusError `busy` if another process is writing it, or the system does not release it. */
export function removeStoredIndex(dataDir: string, id: string): Promise<void> {
  return deleteIndex(join(dataDir, INDEXES_FOLDER, id));
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
