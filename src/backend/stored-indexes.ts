import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deleteIndex } from '../engine/index.ts';
import { INDEXES_FOLDER, makeIndexFolderName } from '../services/locations.ts';
import { readRootNote } from '../services/open-repository.ts';
import type { StoredIndex } from '../shared/indexing.ts';

/** Lists the indexes in the data directory, the largest first. @param roots folders of known repositories, to find names */
export async function listStoredIndexes(
  dataDir: string,
  roots: readonly string[],
): Promise<StoredIndex[]> {
  const rootOf = new Map(roots.map((root) => [makeIndexFolderName(root), root]));
  const indexesFolder = join(dataDir, INDEXES_FOLDER);
  const names = existsSync(indexesFolder) ? await readdir(indexesFolder) : [];
  const indexes = await Promise.all(
    names.map(async (id) => {
      const root = rootOf.get(id) ?? readRootNote(join(indexesFolder, id), id);
      // If the root is unknown, use the name of the folder: <name>-<digest>.
      const name = root ? basename(root) : id.replace(/-[0-9a-f]{12}$/, '');
      return { id, root, name, bytes: await measureFolder(join(indexesFolder, id)) };
    }),
  );
  return indexes.sort((a, b) => b.bytes - a.bytes);
}

/** Deletes an index. @throws LocusError `busy` if another process is writing it, or the system does not release it */
export function removeStoredIndex(dataDir: string, id: string): Promise<void> {
  return deleteIndex(join(dataDir, INDEXES_FOLDER, id));
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0, // The file was deleted in the meantime, as SQLite's journals are.
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
