import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { makeFolder } from '../engine/store/folder.ts';
import { protectDataDirectory } from '../engine/store/private.ts';
import { LocusError } from '../shared/errors.ts';

/** Where all indexes live: the argument, else `LOCUS_DATA_DIR`, else the platform's data folder for users. */
export function dataDirectory(override?: string): string {
  return resolve(override || process.env.LOCUS_DATA_DIR || envPaths('locus', { suffix: '' }).data);
}

/**
 * The data directory, made if it is not there, and for its user alone.
 * @throws LocusError `bad-store` when it cannot be made or written to.
 */
export function prepareDataDirectory(override?: string): string {
  const folder = dataDirectory(override);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    protectDataDirectory(folder);
    return folder;
  } catch (error) {
    throw new LocusError(
      'bad-store',
      `the data directory ${folder} cannot be written: ${(error as Error).message}`,
      'give a folder that can be written with --data-dir or LOCUS_DATA_DIR',
      { cause: error },
    );
  }
}

/** In the data directory: a folder for each repository that was indexed. */
export const INDEXES_FOLDER = 'repositories';

/** The folder that holds one repository's database and vector index; named so that a person finds it. */
export function repositoryDirectory(dataDir: string, root: string): string {
  return join(dataDir, INDEXES_FOLDER, indexFolderName(realpathSync(root)));
}

/** @param real the repository's folder itself, whatever link leads to it. */
export function indexFolderName(real: string): string {
  const name =
    basename(real)
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 40) || 'root';
  return `${name}-${createHash('sha1').update(real).digest('hex').slice(0, 12)}`;
}
