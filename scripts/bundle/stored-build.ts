/** The stored build of the checkout's command: where it is, and which files it was made from. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the build in the checkout. Its files are named after their content, so builds share it. */
export const BUILD_FOLDER = 'out/command';
/** File in that folder that describes the last build. It is written last. */
export const BUILD_FILE = 'build.json';

interface StoredBuild {
  /** File name of the entry. */
  entry: string;
  /** Names of all files, the entry included. */
  files: string[];
  /** Paths of the files of the checkout that it was made from, with their stamps. */
  inputs: [path: string, stamp: string][];
}

/** Returns text that changes when the file does, also if a program sets its time of modification; empty if it is missing. */
export function stampFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs} ${found.ctimeMs}` : '';
}

/** Returns the last build of a checkout; null without one. */
export function readBuild(root: string): StoredBuild | null {
  try {
    return JSON.parse(readFileSync(join(root, BUILD_FOLDER, BUILD_FILE), 'utf8'));
  } catch {
    // It was never built, or the file is damaged: it is built again.
    return null;
  }
}

/** Returns the path of the entry of the last build; null if a file that it was made from has changed since. */
export function findCurrentBuild(root: string): string | null {
  const build = readBuild(root);
  const isCurrent = build?.inputs.every(([path, stamp]) => stampFile(join(root, path)) === stamp);
  return build && isCurrent ? join(root, BUILD_FOLDER, build.entry) : null;
}
