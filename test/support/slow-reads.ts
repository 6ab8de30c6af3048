import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Script that is loaded into a process first: it opens a repository's files late and one at a time. */
const script = (root: string, milliseconds: number) => `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
const { open } = fs;
let last = Promise.resolve();
fs.open = (path, ...rest) => {
  if (!String(path).startsWith(${JSON.stringify(root)}) || !String(path).endsWith('.py'))
    return open(path, ...rest);
  last = last.then(() => sleep(${milliseconds}));
  last.then(() => open(path, ...rest));
};
syncBuiltinESMExports();
`;

/**
 * Makes reading slow, as from a network folder, so that indexing a few files takes the same time on every machine. Writes a script to
 * `folder`.
 *
 * @param milliseconds time for each Python file below `root`
 * @returns value of `NODE_OPTIONS` for a process that indexes it
 */
export function slowReads(root: string, folder: string, milliseconds = 40): string {
  const path = join(folder, 'slow-reads.mjs');
  writeFileSync(path, script(root, milliseconds));
  return `--import ${pathToFileURL(path)}`;
}

/** Starts a server whose engine reads slowly, as `slowReads` describes. The engine gets the variables of this process. */
export async function startSlowly<T>(options: string, start: () => Promise<T>): Promise<T> {
  const before = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = options;
  try {
    return await start();
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}
