/**
 * Prints the ranks of the functions that real fixes edited: `npm run lab -- bench-fixes <clone> <commit> [<commit> ...]`
 *
 * For each commit, indexes its parent from the object store and searches it with the commit's message. Looks up the chunks
 * whose lines the commit changed, without tests, in the ranking. Prints one Markdown row for each commit.
 */
import { basename, resolve } from 'node:path';
import { readMessage } from '../../demo/messages.ts';
import { git } from '../../src/base/git/git.ts';
import { parseDiff } from '../../src/base/unified-diff.ts';
import { openRepository } from '../../src/services/open-repository.ts';

const [clone, ...commits] = process.argv.slice(2);
if (!clone || commits.length === 0) {
  console.error('usage: npm run lab -- bench-fixes <clone> <commit> [<commit> ...]');
  process.exit(2);
}
const root = resolve(clone);
/** Maximum size of a fix in bytes. */
const LARGEST_DIFF = 1 << 28;

for (const commit of commits) {
  const message = await readMessage(root, commit);
  const repository = await openRepository(root, { revision: `${commit}~1` });
  await repository.index();
  const { results, repository: info } = await repository.search({
    issue: message,
    limit: 1000,
    tests: 'exclude',
  });
  const edited = new Set<string>();
  for (const { path, line } of await changedLines(commit)) {
    const chunk = await repository.show({ chunk: `${path}:${line}` }).catch(() => null);
    if (chunk?.role === 'source') edited.add(chunk.address);
  }
  await repository.close();
  const ranks = [...edited].map((address) => {
    const rank = results.find((result) => result.address === address)?.rank;
    return `${rank ?? '> 1000'}: \`${address}\``;
  });
  console.log(
    `| ${basename(root)} ${commit.slice(0, 10)} | ${message.split('\n')[0]} | ${info.chunks} | ${ranks.join('<br>')} |`,
  );
}

/** Returns the lines of the parent's files that the commit deleted, or after which it inserted within a definition. */
async function changedLines(commit: string): Promise<{ path: string; line: number }[]> {
  const args = [
    '-r',
    '-p',
    '-U0',
    '--no-renames',
    '--src-prefix=a/',
    `${commit}~1`,
    commit,
    '--',
    '*.py',
  ];
  const diff = await git(root, ['diff-tree', ...args], { maxBytes: LARGEST_DIFF });
  const lines: { path: string; line: number }[] = [];
  for (const { from, hunks } of parseDiff(diff.toString('utf8'))) {
    if (!from) continue;
    for (const { oldStart, oldLines } of hunks) {
      const count = Math.max(oldLines, 1);
      for (let i = 0; i < count; i++) lines.push({ path: from, line: oldStart + i });
    }
  }
  return lines;
}
