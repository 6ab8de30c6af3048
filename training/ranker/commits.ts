/**
 * Makes a data set of a repository's own commits: `npm run dataset:commits -- <owner/name> <clone> [count] > commits.jsonl`
 *
 * A commit's message stands for the issue and its diff for the fix, as in `locus eval`'s data sets. Fixes in issue
 * benchmarks often edit one place; these edit code in two to eight files. Taken evenly over the history.
 */
import { execFileSync } from 'node:child_process';
import { roleOf } from '../../src/engine/scan/role.ts';

const [repo, clone, count = '30'] = process.argv.slice(2);
if (!repo || !clone) {
  console.error('usage: npm run -s dataset:commits -- <owner/name> <clone> [count]');
  process.exit(2);
}
const MIN_MESSAGE = 40;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });

const commits = suitable();
const taken = Math.min(Number(count), commits.length);
for (let i = 0; i < taken; i++) {
  const commit = commits[Math.floor((i * commits.length) / taken)];
  const [base_commit] = git('rev-parse', `${commit}~1`).split('\n');
  console.log(
    JSON.stringify({
      instance_id: `${repo.replace('/', '__')}-${commit.slice(0, 10)}`,
      repo,
      base_commit,
      problem_statement: git('log', '-1', '--format=%B', commit).trim(),
      patch: git('diff', '--no-renames', base_commit, commit, '--', '*.py'),
    }),
  );
}

/** Commits with a telling message that edit two to eight source files; no merges, no mass edits. */
function suitable(): string[] {
  const log = git(
    'log',
    '--no-merges',
    '--format=%x00%H%x1f%B%x1f',
    '--name-only',
    '--diff-filter=M',
    'HEAD',
  );
  return log.split('\0').flatMap((entry) => {
    const [commit, message = '', files = ''] = entry.split('\x1f');
    const sources = files
      .split('\n')
      .filter((path) => path.endsWith('.py') && roleOf(path) === 'source');
    const suits =
      message.trim().length >= MIN_MESSAGE && sources.length >= 2 && sources.length <= 8;
    return suits ? [commit] : [];
  });
}
