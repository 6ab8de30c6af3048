/** The sample: a small repository with a history that comes with Locus, and an issue with a known answer. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFolder } from '../base/private.ts';

const FOLDER = fileURLToPath(new URL('../../demo', import.meta.url));
const SOURCES = join(FOLDER, 'repository');
const ISSUE = join(FOLDER, 'issue.md');

/** Function that the fix of the sample's issue edits: it applies the limit before the random spread, not after it. */
export const SAMPLE_ANSWER = 'tasklane/retry.py::RetryPolicy.backoff';

/** Commits of the sample repository, oldest first. */
const HISTORY: { message: string; paths: string[] }[] = [
  {
    message: 'Queue, jobs and storage in memory and SQLite',
    paths: [
      'README.md',
      'tasklane/errors.py',
      'tasklane/clock.py',
      'tasklane/job.py',
      'tasklane/serialize.py',
      'tasklane/storage',
    ],
  },
  { message: 'Settings from a TOML file and the environment', paths: ['tasklane/config.py'] },
  {
    message: 'Periodic tasks by cron expressions',
    paths: ['tasklane/cron.py', 'tasklane/scheduler.py', 'tests/test_cron.py'],
  },
  {
    message: 'Try failed jobs again, with exponential backoff and jitter',
    paths: ['tasklane/retry.py', 'tests/test_retry.py'],
  },
  {
    message: 'Workers, and the application that holds all together',
    paths: [
      'tasklane/worker.py',
      'tasklane/app.py',
      'tasklane/__init__.py',
      'tests/test_worker.py',
    ],
  },
  { message: 'A dashboard and a command line', paths: ['tasklane/http', 'tasklane/cli.py'] },
];

/** Returns the folder of the sample in a data directory, which may not exist yet, and its issue; null if no sample is packaged. */
export function findSample(dataDir: string): { root: string; issue: string } | null {
  if (!existsSync(SOURCES) || !existsSync(ISSUE)) return null;
  return { root: join(dataDir, 'sample', 'tasklane'), issue: readFileSync(ISSUE, 'utf8') };
}

/**
 * Creates the sample repository unless it exists. It appears complete or not at all.
 * @throws the system's error if it cannot be written
 */
export async function createSample(root: string): Promise<void> {
  if (existsSync(root)) return;
  const parent = join(root, '..');
  createFolder(parent);
  const draft = mkdtempSync(join(parent, 'new-'));
  try {
    await makeRepository(join(draft, 'it'));
    // Two windows may create it at the same time: the first one wins.
    if (!existsSync(root)) renameSync(join(draft, 'it'), root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Copies the sources to a new folder, as the commits of `HISTORY` if git is installed. */
export async function makeRepository(to: string): Promise<void> {
  createFolder(to);
  const versioned = await git(to, 'init', '--quiet', '--template=');
  for (const { message, paths } of HISTORY) {
    for (const path of paths) cpSync(join(SOURCES, path), join(to, path), { recursive: true });
    if (!versioned) continue;
    await git(to, 'add', '--all');
    await git(to, 'commit', '--quiet', '--message', message);
  }
}

const AUTHOR = ['-c', 'user.name=Locus demo', '-c', 'user.email=demo@localhost'];

/** Runs git without the user's configuration, so that the user's signing keys and hooks are not used. */
async function git(folder: string, ...args: string[]): Promise<boolean> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const run = promisify(execFile)('git', [...AUTHOR, '-C', folder, ...args], {
    env,
    windowsHide: true,
  });
  return run.then(
    () => true,
    () => false,
  );
}
