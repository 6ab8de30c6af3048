import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The folder that a command line names: `locus <dir>`, or what a file manager opens the app with.
 *
 * @param args what follows the program; switches are Chromium's.
 * @returns an absolute path, the folder of a file; null when none was named. Whether it is there, the engine says.
 */
export function folderFromArguments(args: readonly string[], cwd: string): string | null {
  const end = args.indexOf('--');
  const named =
    args.find((arg, i) => !arg.startsWith('-') && (end < 0 || i < end)) ??
    (end < 0 ? undefined : args[end + 1]);
  return named ? folderOf(resolve(cwd, named)) : null;
}

/** A file stands for the folder it is in. */
export function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}
