/** What Node compiles of Locus, kept for the next command: an eighth of the time from a command to its list. */
import { lstatSync, rmSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isSet } from '../base/environment.ts';
import { COMPILED_FOLDER, makeFolder } from '../base/private.ts';
import { dataDirectory, INDEXES_FOLDER } from '../services/locations.ts';
import { VERSION } from '../shared/version.ts';
import { commandIn } from './commands.ts';

/** The commands that one waits for, and that bring an index up to date: others leave the data directory as it is. */
const WAITED_FOR = new Set(['search', 'show', 'neighbors', 'similar', 'export']);

const OPTION = '--data-dir';

/**
 * Has Node keep what it compiles from here on in the data directory, where the command is one of these and the directory is there
 * already. What is kept runs, so that it has to be a directory that nobody else can write to.
 */
export function keepCompiled({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): void {
  const args = argv.slice(2);
  const command = commandIn(args);
  // Who set it has Node keep it elsewhere.
  if (env.NODE_COMPILE_CACHE !== undefined || !WAITED_FOR.has(command ?? '')) return;
  const given = optionIn(OPTION, args);
  const data = dataDirectory(given, env);
  const all = join(data, COMPILED_FOLDER);
  const folder = join(all, VERSION);
  try {
    if (!isOursAlone(data, given !== undefined || isSet('LOCUS_DATA_DIR', env))) return;
    if (![all, folder].every(isClosedFolder)) {
      // It is from another version of Locus, or others could write to it.
      rmSync(all, { recursive: true, force: true });
      makeFolder(folder);
    }
    enableCompileCache(folder);
  } catch {
    // A directory that cannot be written to: all is compiled anew.
  }
}

/** Whether it has indexes, is the user's, and no other user may write there; Windows tells that of the user's own folder alone. */
function isOursAlone(data: string, given: boolean): boolean {
  const found = statSync(join(data, INDEXES_FOLDER), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return !given;
  return isClosed(statSync(data));
}

/** Returns true for a folder, not a link to one, that only this user can write to. */
function isClosedFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isClosed(found);
}

/** Returns true if only this user can write there; Windows has no modes. */
function isClosed({ uid, mode }: Stats): boolean {
  return !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Of an option as commander reads it: `--option value` or `--option=value`. */
function optionIn(option: string, args: readonly string[]): string | undefined {
  const place = args.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  const arg = args[place];
  return arg === option ? args[place + 1] : arg?.slice(option.length + 1);
}
