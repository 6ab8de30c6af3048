import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { type Environment, readVariable } from '../base/environment.ts';
import { openLog } from '../base/log.ts';
import { makeFolder, protectDataDirectory } from '../base/private.ts';
import { LocusError } from '../shared/errors.ts';

/** Returns the data directory: the argument, else `LOCUS_DATA_DIR`, else the platform's data folder for users. */
export function dataDirectory(override?: string, env?: Environment): string {
  const given = override || readVariable('LOCUS_DATA_DIR', env);
  return resolve(given || envPaths('locus', { suffix: '' }).data);
}

/** Starts the log of this process in a data directory. @throws LocusError `bad-input` for an invalid `LOCUS_LOG` */
export function startLog(dataDir: string): void {
  openLog(dataDir, readVariable('LOCUS_LOG'));
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
  } catch (error) {
    throw new LocusError(
      'bad-store',
      `the data directory ${folder} cannot be written: ${(error as Error).message}`,
      'give a folder that can be written with --data-dir or LOCUS_DATA_DIR',
      { cause: error },
    );
  }
  startLog(folder);
  return folder;
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
