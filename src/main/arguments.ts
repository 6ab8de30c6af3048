import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isLocusLink } from '../shared/locus-link.ts';

/** More is no link; it is cut so that the page can say so. */
const LONGEST_LINK = 10_000;

/**
 * The folder that a command line names: `locus <dir>`, or what a file manager opens the app with.
 *
 * @param args what follows the program; switches are Chromium's.
 * @returns an absolute path, the folder of a file; null when none was named. Whether it is there, the engine says.
 */
export function folderFromArguments(args: readonly string[], cwd: string): string | null {
  const end = args.indexOf('--');
  const named =
    args.find((arg, i) => !arg.startsWith('-') && !isLocusLink(arg) && (end < 0 || i < end)) ??
    (end < 0 ? undefined : args[end + 1]);
  return named ? folderOf(resolve(cwd, named)) : null;
}

/** The `locus://` link that a command line has, as the system starts the app for one; null without. Nothing of it is believed yet. */
export function linkFromArguments(args: readonly string[]): string | null {
  return args.find(isLocusLink)?.slice(0, LONGEST_LINK) ?? null;
}

/** A file stands for the folder it is in. */
export function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}
