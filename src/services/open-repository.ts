import { openAt, type RepositoryOptions } from '../engine/repository.ts';
import { protectDataDirectory } from '../engine/store/private.ts';
import type { Repository } from '../shared/repository.ts';
import { dataDirectory, repositoryDirectory } from './locations.ts';
import { modelFolder, readModelFolders } from './models.ts';

export interface OpenOptions
  extends Omit<RepositoryOptions, 'indexFolder' | 'modelFolder' | 'readModelFolders'> {
  /** Where indexes live; see `dataDirectory`. */
  dataDir?: string;
  /** A model's id, or the path of a model's folder; by default the one in the settings. See `modelFolder`. */
  model?: string;
  modelsFolder?: string;
}

/**
 * Opens a repository, any folder, or one commit, with its index in the data directory; see `openAt`.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`, saying what to do about it.
 */
export async function openRepository(root: string, options: OpenOptions = {}): Promise<Repository> {
  const { dataDir, model, modelsFolder, ...others } = options;
  const data = dataDirectory(dataDir);
  return openAt(root, {
    ...others,
    modelFolder: await modelFolder({ dataDir, model, modelsFolder }),
    readModelFolders: readModelFolders({ dataDir, modelsFolder }),
    indexFolder: (folder) => {
      protectDataDirectory(data);
      return repositoryDirectory(data, folder);
    },
  });
}
