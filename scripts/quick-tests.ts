/**
 * Chooses the tests of `npm run test:quick`: those that cannot start a process or a thread, since nothing that they import can. They
 * also run with Node's permission model, which refuses both, so an import that is missed here fails there.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules of Node that start processes and threads. */
const STARTERS = new Set(['node:child_process', 'node:cluster', 'node:worker_threads']);
/** An import or export from a module, except of types only; a dynamic import; or the file of a worker. */
const IMPORTS =
  /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'|\bnew URL\(\s*'(\.[^']+)'/gm;

/** Flags of Node under which quick tests run: files may be read and written, and native packages loaded. */
export const QUICK_FLAGS: readonly string[] = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-fs-write=*',
  '--allow-addons',
];

/** Returns the paths of quick tests relative to the project, in order. */
export function listQuickTests(root: string): string[] {
  const imports = new Map<string, Imports>();
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((path) => isQuick(join(root, path), imports))
    .sort();
}

interface Imports {
  files: string[];
  /** True if it imports one of `STARTERS`. */
  canStart: boolean;
}

function isQuick(test: string, imports: Map<string, Imports>): boolean {
  const reached = new Set([test]);
  for (const path of reached) {
    let found = imports.get(path);
    if (!found) {
      found = readImports(path);
      imports.set(path, found);
    }
    if (found.canStart) return false;
    for (const file of found.files) reached.add(file);
  }
  return true;
}

function readImports(path: string): Imports {
  const names = Array.from(readFileSync(path, 'utf8').matchAll(IMPORTS), (match) =>
    String(match[1] ?? match[2] ?? match[3]),
  );
  return {
    // Code in a string of a test may import what does not exist.
    files: names
      .filter((name) => /^\..*\.tsx?$/.test(name))
      .map((name) => join(dirname(path), name))
      .filter((file) => existsSync(file)),
    canStart: names.some((name) => STARTERS.has(name)),
  };
}
