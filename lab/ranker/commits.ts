/**
 * Makes a data set from a repository's own commits:
 * `npm run -s lab -- dataset-commits <owner/name> <clone> [--count 60] [--min-files 1] [--max-files 8] > commits.jsonl`
 *
 * A commit's message serves as the issue and its diff as the fix, as in `locus eval`'s data sets. The commits are
 * those that the task `mine` would accept as a fix: a descriptive message, a test changed along with the code, no merge, bot or
 * release. They are spread evenly over the history. Every third message is followed by lines that the commit adds to
 * tests, as issues often include code that reproduces the problem.
 */

import { parseArgs } from 'node:util';
import { git } from '../../src/base/git/git.ts';
import {
  type FixCandidate,
  type HistoryFilter,
  judgeHistory,
  readFixPatches,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    'min-files': { type: 'string', default: '1' },
    'max-files': { type: 'string', default: '8' },
  },
});
const [repo, clone] = positionals;
if (!repo || !clone) {
  console.error(
    'usage: npm run -s lab -- dataset-commits <owner/name> <clone> [--count <n>] [--min-files <n>] [--max-files <n>]',
  );
  process.exit(2);
}
/** Maximum size of a fix in bytes. */
const LARGEST_DIFF = 1 << 25;
const FILTER: HistoryFilter = {
  minMessage: 40,
  maxFiles: Number(values['max-files']),
  requireTests: true,
};

const commits = spreadEvenly(
  await findSuitableCommits(clone, Number(values['min-files'])),
  Number(values.count),
);
const patches = await readFixPatches(clone, commits);
for (const [i, { commit, parent, message, files }] of commits.entries()) {
  const patch = patches.get(commit);
  if (!patch || patch.formattingOnly) continue;
  const paths = files.map(({ path }) => path);
  const options = ['-r', '-p', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const diff = await git(clone, ['diff-tree', ...options, parent, commit, '--', ...paths], {
    maxBytes: LARGEST_DIFF,
  });
  const reproduction =
    i % 3 === 0 && patch.testLines.length > 0
      ? `\n\n\`\`\`python\n${patch.testLines.join('\n')}\n\`\`\``
      : '';
  console.log(
    JSON.stringify({
      instance_id: `${repo.replace('/', '__')}-${commit.slice(0, 10)}`,
      repo,
      base_commit: parent,
      problem_statement: message + reproduction,
      patch: diff.toString('utf8'),
    }),
  );
}

async function findSuitableCommits(clone: string, minFiles: number): Promise<FixCandidate[]> {
  const { candidates } = await judgeHistory(clone, 'HEAD', { filter: FILTER, issues: null });
  return candidates.filter(({ files }) => files.length >= minFiles);
}

function spreadEvenly<T>(all: readonly T[], count: number): T[] {
  const taken = Math.min(count, all.length);
  return Array.from({ length: taken }, (_, i) =>
    assertPresent(all[Math.floor((i * all.length) / taken)], 'a commit'),
  );
}
