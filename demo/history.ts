/** The demo's repository, with a past. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** How the demo's repository came to be. */
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

/** Copies the demo's sources to a new folder, in the commits of `HISTORY` when git is installed. */
export function makeRepository(to: string): void {
  const from = join(import.meta.dirname, 'repository');
  mkdirSync(to);
  const git = (...args: string[]) =>
    spawnSync(
      'git',
      [
        '-c',
        'user.name=Locus demo',
        '-c',
        'user.email=demo@localhost',
        '-c',
        'commit.gpgsign=false',
        '-C',
        to,
        ...args,
      ],
      {
        stdio: 'ignore',
      },
    ).status === 0;
  const versioned = git('init', '--quiet');
  for (const { message, paths } of HISTORY) {
    for (const path of paths) cpSync(join(from, path), join(to, path), { recursive: true });
    if (versioned)
      git('add', '--all') && git('commit', '--quiet', '--no-verify', '--message', message);
  }
}
