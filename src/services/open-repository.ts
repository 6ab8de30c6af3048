import { protectDataDirectory } from '../base/private.ts';
import { openAt, type RepositoryOptions } from '../engine/index.ts';
import type { Repository } from '../shared/repository.ts';
import { noteRoot } from './index-root.ts';
import { dataDirectory, repositoryDirectory, startLog } from './locations.ts';
import { modelFolder, readModelFolders } from './models.ts';
import type { SharedIndex } from './shared-index/prepare.ts';
import { preparing } from './shared-index/prepare.ts';

export interface OpenOptions
  extends Omit<RepositoryOptions, 'indexFolder' | 'modelFolder' | 'readModelFolders' | 'prepare'> {
  /** Where indexes live; see `dataDirectory`. */
  dataDir?: string;
  /** A model's id, or the path of a model's folder; by default the one in the settings. See `modelFolder`. */
  model?: string;
  modelsFolder?: string;
  /** The shared index to take before the first indexing run; by default the one that is set up, null for none. */
  shared?: SharedIndex | null;
}

/**
 * Opens a repository, any folder, or one commit, with its index in the data directory; see `openAt`.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`, saying what to do about it.
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
