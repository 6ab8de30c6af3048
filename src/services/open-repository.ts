import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { protectDataDirectory } from '../base/private.ts';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { writePrivateFile } from '../base/write-file.ts';
import { openAt, type RepositoryOptions } from '../engine/index.ts';
import type { Repository } from '../shared/repository.ts';
import { dataDirectory, indexFolderName, repositoryDirectory, startLog } from './locations.ts';
import { modelFolder, readModelFolders } from './models.ts';
import { preparing, type SharedIndex } from './shared-index/prepare.ts';

export interface OpenOptions
  extends Omit<RepositoryOptions, 'indexFolder' | 'modelFolder' | 'readModelFolders' | 'prepare'> {
  dataDir?: string;
  /** Id of a model, or path of a model's folder; by default the model in the settings. See `findModelFolder`. */
  model?: string;
  modelsFolder?: string;
  /** Shared index to use before the first indexing run; by default the one that is set up, null for none. */
  shared?: SharedIndex | null;
}

/**
 * Opens a repository, a plain folder or one commit, with its index in the data directory. See `openAt`.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`
 */
export async function openRepository(root: string, options: OpenOptions = {}): Promise<Repository> {
  const { dataDir, model, modelsFolder, shared, ...others } = options;
  const data = dataDirectory(dataDir);
  if (!options.readOnly) startLog(data);
  let index: { folder: string; root: string } | null = null;
  const repository = await openAt(root, {
    ...others,
    prepare: shared === null ? undefined : preparing(data, shared),
    modelFolder: await modelFolder({ dataDir, model, modelsFolder }),
    readModelFolders: readModelFolders({ dataDir, modelsFolder }),
    indexFolder: (folder) => {
      protectDataDirectory(data);
      const directory = repositoryDirectory(data, folder);
      index = { folder: directory, root: folder };
      return directory;
    },
  });
  if (index && !options.readOnly) noteRoot(index);
  return repository;
}

/** File in an index folder with the path of the indexed repository. The folder's own name only holds a digest of that path. */
const ROOT_FILE = 'root.txt';
const MAX_ROOT_BYTES = 100_000;

/** Writes the root note unless it exists already. An index that cannot be written to gets no note. */
export function noteRoot({ folder, root }: { folder: string; root: string }): void {
  const file = join(folder, ROOT_FILE);
  try {
    const note = `${realpathSync(root)}\n`;
    if (readNote(folder) !== note) writePrivateFile(file, note);
  } catch {
    // The note only helps people to recognize an index.
  }
}

/** Reads the path of the indexed repository; null if the note is missing or belongs to another index. */
export function notedRoot(folder: string, id: string): string | null {
  try {
    const root = readNote(folder).trimEnd();
    return indexFolderName(root) === id ? root : null;
  } catch {
    // There is no note.
    return null;
  }
}

function readNote(folder: string): string {
  return String(new UntrustedFolder(folder, 'bad-store').readSync(ROOT_FILE, MAX_ROOT_BYTES) ?? '');
}
