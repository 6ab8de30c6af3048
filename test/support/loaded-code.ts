/** Counts the JavaScript that a command loads, in all of its threads. Unlike times, the counts do not vary between machines. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeFolder, temporaryFolder, writeFiles } from './repository.ts';

/** Makes each thread write the URLs and sizes of its modules to a file. */
const RECORDER = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { threadId } from 'node:worker_threads';
  const file = process.env.TEST_LOADED + '/' + process.pid + '-' + threadId + '.jsonl';
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      // The built version of what is loaded; types of a .ts file are stripped by then.
      const bytes = loaded.source?.length ?? 0;
      if (!url.startsWith('node:')) appendFileSync(file, JSON.stringify([url, bytes]) + '\\n');
      return loaded;
    },
  });
`;

export interface LoadedModule {
  /** File URL. */
  url: string;
  bytes: number;
}

/** Returns the modules that a command loads, thread by thread. @throws AssertionError if the command fails */
export function recordModules(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): LoadedModule[][] {
  const folder = temporaryFolder();
  try {
    writeFiles(folder, { 'recorder.mjs': RECORDER });
    const recorder = pathToFileURL(join(folder, 'recorder.mjs')).href;
    const { status, stderr } = spawnSync(program, ['--import', recorder, ...args], {
      encoding: 'utf8',
      env: { ...env, TEST_LOADED: folder },
    });
    assert.equal(status, 0, stderr);
    return globSync('*.jsonl', { cwd: folder }).map((name) =>
      readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, number])
        .filter(([url]) => url !== recorder)
        .map(([url, bytes]) => ({ url, bytes })),
    );
  } finally {
    removeFolder(folder);
  }
}

/** Upper limits: about a tenth above the current counts, which are next to them. */
export interface Limits {
  modules: number;
  kilobytes: number;
}

/**
 * Checks the counts of a command.
 * @throws AssertionError that lists the largest modules
 */
export function assertLoads(threads: readonly LoadedModule[][], limits: Limits): void {
  const all = threads.flat();
  const kilobytes = Math.round(all.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  const largest = all
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 15)
    .map(({ url, bytes }) => `  ${bytes} ${url}`);
  assert.ok(
    all.length <= limits.modules && kilobytes <= limits.kilobytes,
    [
      `It loads ${all.length} modules with ${kilobytes} kB; at most ${limits.modules} with ${limits.kilobytes} kB are expected.`,
      'Import what only some commands need where they need it. The largest modules:',
      ...largest,
    ].join('\n'),
  );
}

/** Limits by command line. The second search of a repository reads its index only. */
export const LOADED_LIMITS = {
  // 9 modules, 10 kB.
  version: { modules: 11, kilobytes: 12 },
  // 36 modules, 158 kB.
  help: { modules: 39, kilobytes: 173 },
  // 211 modules, 1763 kB.
  search: { modules: 230, kilobytes: 1930 },
} satisfies Record<string, Limits>;
