/** Caches the code that Node compiles, for the next command. This saves a fifth of a second of the first search, and less of the next ones. */
import { lstatSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSet } from '../base/environment.ts';
import { COMPILED_FOLDER, createFolder } from '../base/private.ts';
import { shareCompileCache } from '../base/shared-compile-cache.ts';
import { getDataDirectory, INDEXES_FOLDER } from '../services/locations.ts';
import { VERSION } from '../shared/version.ts';
import { findCommand } from './commands.ts';

/** Commands that a person or an agent waits for, and that write to the data directory anyway. Others must not change the data directory. */
const CACHED_COMMANDS = new Set([
  'search',
  'show',
  'neighbors',
  'tests',
  'similar',
  'export',
  'index',
  'watch',
  'serve',
  'mcp',
]);

const OPTION = '--data-dir';

/**
 * Enables Node's compile cache in the data directory, for the commands above and if the directory exists. Cached code is
 * executed, so nobody else may be able to write to the directory.
 */
export function cacheCompiledCode({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): void {
  const args = argv.slice(2);
  const command = findCommand(args);
  // The user chose another folder for the cache.
  if (env.NODE_COMPILE_CACHE !== undefined || !CACHED_COMMANDS.has(command ?? '')) return;
  const given = findOption(OPTION, args);
  const data = getDataDirectory(given, env);
  const all = join(data, COMPILED_FOLDER);
  const folder = join(all, VERSION);
  try {
    if (!isPrivate(data, given !== undefined || isSet('LOCUS_DATA_DIR', env))) return;
    if (![all, folder].every(isPrivateFolder)) {
      // It is from another version of Locus, or other users can write to it.
      rmSync(all, { recursive: true, force: true });
      createFolder(folder);
    }
    shareCompileCache(folder);
  } catch {
    // The directory is not writable: Locus runs without the cache.
  }
}

/**
 * Returns true if the folder has indexes, belongs to the user, and no other user can write to it. On Windows, this is
 * known of the default folder only.
 */
function isPrivate(data: string, given: boolean): boolean {
  const found = statSync(join(data, INDEXES_FOLDER), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return !given;
  return isWritableByUserOnly(statSync(data));
}

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
