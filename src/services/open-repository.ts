import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { protectDataDirectory } from '../base/private.ts';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { writePrivateFile } from '../base/write-file.ts';
import {
  type EngineRepositoryOptions,
  loadLanguagesIn,
  openRepositoryAt,
} from '../engine/index.ts';
import type { Repository } from '../shared/repository.ts';
import { startFromFamily } from './family.ts';
import {
  getDataDirectory,
  getIndexFolder,
  getLanguageFolder,
  makeIndexFolderName,
  startLog,
} from './locations.ts';
import { findModelFolder, findRerankerFolders } from './models.ts';
import { createPrepare, type SharedIndexOptions } from './shared-index/prepare.ts';

export interface OpenRepositoryOptions
  extends Omit<
    EngineRepositoryOptions,
    'indexFolder' | 'modelFolder' | 'readModelFolders' | 'prepare' | 'prepareFolder'
  > {
  dataDir?: string;
  /** Id of a model, or path of a model's folder; by default the model in the settings. See `findModelFolder`. */
  model?: string;
  modelsFolder?: string;
  /** Shared index to use before the first indexing run; by default the one that is set up, null for none. */
  shared?: SharedIndexOptions | null;
  /**
   * Folder that holds the index as the data directory would. Such an index starts empty: it takes nothing from other working trees
   * of the repository.
   */
  indexesFolder?: string;
}

/**
 * Opens a repository, a plain folder or one commit, with its index in the data directory. See `openAt`.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`
 */
export async function openRepository(
  root: string,
  options: OpenRepositoryOptions = {},
): Promise<Repository> {
  const { dataDir, model, modelsFolder, shared, indexesFolder, ...others } = options;
  const data = getDataDirectory(dataDir);
  if (!options.readOnly) startLog(data);
  await loadLanguagesIn(getLanguageFolder(data));
  let index: { folder: string; root: string } | null = null;
  const repository = await openRepositoryAt(root, {
    ...others,
    prepare: shared === null ? undefined : createPrepare(data, shared),
    prepareFolder: indexesFolder === undefined ? startFromFamily : undefined,
    modelFolder: await findModelFolder({ dataDir, model, modelsFolder }),
    rerankerFolders: findRerankerFolders({ dataDir, modelsFolder }),
    indexFolder: (folder) => {
      protectDataDirectory(data);
      const directory = getIndexFolder(indexesFolder ?? data, folder);
      index = { folder: directory, root: folder };
      return directory;
    },
  });
  if (index && !options.readOnly) writeRootNote(index);
  return repository;
}

/** File in an index folder with the path of the indexed repository. The folder's own name only holds a digest of that path. */
const ROOT_FILE = 'root.txt';
const MAX_ROOT_BYTES = 100_000;

/** Writes the root note unless it exists already. An index that cannot be written to gets no note. */
export function writeRootNote({ folder, root }: { folder: string; root: string }): void {
  const file = join(folder, ROOT_FILE);
  try {
    const note = `${realpathSync(root)}\n`;
    if (readNote(folder) !== note) writePrivateFile(file, note);
  } catch {
    // The note only helps people to recognize an index.
  }
}

/** Reads the path of the indexed repository; null if the note is missing or belongs to another index. */
export function readRootNote(folder: string, id: string): string | null {
  try {
    const root = readNote(folder).trimEnd();
    return makeIndexFolderName(root) === id ? root : null;
  } catch {
    // There is no note.
    return null;
  }
}

function readNote(folder: string): string {
  return String(new UntrustedFolder(folder, 'bad-store').readSync(ROOT_FILE, MAX_ROOT_BYTES) ?? '');
}
