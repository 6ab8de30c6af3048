import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { type Environment, readVariable } from '../base/environment.ts';
import { openLog } from '../base/log.ts';
import { createFolder, protectDataDirectory } from '../base/private.ts';
import { LocusError } from '../shared/errors.ts';

/** Returns the data directory: the argument, else `LOCUS_DATA_DIR`, else the platform's data folder for users. */
export function getDataDirectory(override?: string, env?: Environment): string {
  const given = override || readVariable('LOCUS_DATA_DIR', env);
  return resolve(given || envPaths('locus', { suffix: '' }).data);
}

/** Starts the log of this process in a data directory. @throws LocusError `bad-input` for an invalid `LOCUS_LOG` */
export function startLog(dataDir: string): void {
  openLog(dataDir, readVariable('LOCUS_LOG'));
}

/**
 * Creates the data directory if it is missing, and makes it accessible to its user alone.
 * @throws LocusError `bad-store` if it cannot be created or written to
 */
export function prepareDataDirectory(override?: string): string {
  const folder = getDataDirectory(override);
  try {
    createFolder(folder);
    accessSync(folder, constants.W_OK);
    protectDataDirectory(folder);
  } catch (error) {
    throw new LocusError(
      'bad-store',
      `The data directory ${folder} is not writable: ${(error as Error).message}.`,
      'Choose a writable folder with --data-dir or LOCUS_DATA_DIR.',
      { cause: error },
    );
  }
  startLog(folder);
  return folder;
}

/** Returns the folder of the languages that a user added. */
export function getLanguageFolder(dataDir: string): string {
  return join(dataDir, 'languages');
}

/** Folder in the data directory with one folder for each indexed repository. */
export const INDEXES_FOLDER = 'repositories';

/** Returns the folder of a repository's database and vectors. Its name starts with the repository's name, so that people can find it. */
export function getIndexFolder(dataDir: string, root: string): string {
  return join(dataDir, INDEXES_FOLDER, makeIndexFolderName(realpathSync(root)));
}

/** @param real path of the repository's folder with links resolved */
export function makeIndexFolderName(real: string): string {
  const name =
    basename(real)
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 40) || 'root';
  return `${name}-${createHash('sha1').update(real).digest('hex').slice(0, 12)}`;
}
