/** Caches the code that Node compiles, for the next command. This saves a tenth of a second of each search. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSet } from '../base/environment.ts';
import { COMPILED_FOLDER, createFolder, LOGS_FOLDER } from '../base/private.ts';
import { shareCompileCache } from '../base/shared-compile-cache.ts';
import { getDataDirectory, INDEXES_FOLDER } from '../services/locations.ts';
import { VERSION } from '../shared/version.ts';
import { findCommand } from './commands.ts';
import { BRIEF_COMMANDS } from './efficiency-mode.ts';

/** Commands that a person or an agent waits for, and that write to the data directory anyway. Others must not change the data directory. */
const CACHED_COMMANDS = new Set([...BRIEF_COMMANDS, 'index', 'watch', 'serve', 'mcp']);

const OPTION = '--data-dir';

/**
 * Maximum number of files in the cache, which is emptied above it. A search has 140 of them, of 2 MB. Each version of Node and each
 * place of installation adds its own.
 */
const MAX_FILES = 2_000;

/** Parts of `process` that the cache depends on. */
type CachingProcess = Pick<NodeJS.Process, 'argv' | 'env' | 'once'>;

/**
 * Enables Node's compile cache in the data directory, for the commands above. Cached code is executed, so nobody else may be able
 * to write to the directory. One that is created for the cache is removed when the process ends, if the command stored no index.
 */
export function cacheCompiledCode(process: CachingProcess): void {
  const { argv, env } = process;
  const args = argv.slice(2);
  const command = findCommand(args);
  // The user chose another folder for the cache.
  if (env.NODE_COMPILE_CACHE !== undefined || !CACHED_COMMANDS.has(command ?? '')) return;
  const given = findOption(OPTION, args);
  const data = getDataDirectory(given, env);
  const all = join(data, COMPILED_FOLDER);
  const folder = join(all, VERSION);
  try {
    const isNew = !existsSync(data);
    if (!isUsable(data, given !== undefined || isSet('LOCUS_DATA_DIR', env))) return;
    if (![all, folder].every(isPrivateFolder) || countFiles(folder) > MAX_FILES) {
      // It is from another version of Locus, other users can write to it, or it is too large.
      rmSync(all, { recursive: true, force: true });
      createFolder(folder);
    }
    // Node writes the cache after this event, and creates no folder then.
    if (isNew) process.once('exit', () => removeUnused(data));
    shareCompileCache(folder);
  } catch {
    // The directory is not writable: Locus runs without the cache.
  }
}

/**
 * Returns true for a data directory that is missing, or that belongs to the user, nobody else can write to, and has indexes or nothing.
 * On Windows, this is known of the default folder only.
 */
function isUsable(data: string, isGiven: boolean): boolean {
  if (isGiven && !process.getuid) return false;
  const found = statSync(data, { throwIfNoEntry: false });
  if (!found) return true;
  const hasIndexes = () =>
    statSync(join(data, INDEXES_FOLDER), { throwIfNoEntry: false })?.isDirectory() === true;
  return isWritableByUserOnly(found) && (hasIndexes() || readdirSync(data).length === 0);
}

/** Removes a new data directory with its cache and log, unless the command has stored an index there. */
function removeUnused(data: string): void {
  if (existsSync(join(data, INDEXES_FOLDER))) return;
  for (const name of [COMPILED_FOLDER, LOGS_FOLDER])
    rmSync(join(data, name), { recursive: true, force: true });
  try {
    rmdirSync(data);
  } catch {
    // Another process has stored something there.
  }
}

const countFiles = (folder: string): number => readdirSync(folder, { recursive: true }).length;

/** Returns true for a folder, but not for a link to one, that only this user can write to. */
function isPrivateFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isWritableByUserOnly(found);
}

/** Returns true if only this user can write there; Windows has no modes. */
function isWritableByUserOnly({ uid, mode }: Stats): boolean {
  return !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Returns the value of an option, as commander reads it: `--option value` or `--option=value`. */
function findOption(option: string, args: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  const arg = args[index];
  return arg === option ? args[index + 1] : arg?.slice(option.length + 1);
}
