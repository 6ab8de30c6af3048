/**
 * Where do the functions that real fixes edited stand? `npm run bench:fixes -- <clone> <commit> [<commit> ...]`
 *
 * For each commit, its parent is indexed from the object store and searched with the commit's message; the chunks
 * whose lines the commit changed (tests left out) are looked up in the ranking. Prints one Markdown row a commit.
 */
import { execFileSync } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { openRepository } from '../src/engine/engine.ts';

const [clone, ...commits] = process.argv.slice(2);
if (!clone || commits.length === 0) {
  console.error('usage: npm run bench:fixes -- <clone> <commit> [<commit> ...]');
  process.exit(2);
}
const root = resolve(clone);
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

for (const commit of commits) {
  const message = git('log', '-1', '--format=%B', commit).trim();
  const repository = await openRepository(root, { revision: `${commit}~1` });
  await repository.index();
  const { results, repository: info } = await repository.search({
    issue: message,
    limit: 1000,
    tests: 'exclude',
  });
  const edited = new Set<string>();
  for (const { path, line } of changedLines(commit)) {
    const chunk = await repository.show(`${path}:${line}`).catch(() => null);
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

/** Lines of the parent's files that the commit deleted, or after which it inserted within a definition. */
function changedLines(commit: string): { path: string; line: number }[] {
  const lines: { path: string; line: number }[] = [];
  let path = '';
  for (const row of git('diff', '-U0', '--no-renames', `${commit}~1`, commit, '--', '*.py').split(
    '\n',
  )) {
    if (row.startsWith('--- ')) path = row.startsWith('--- a/') ? row.slice(6) : '';
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (!hunk || !path) continue;
    const first = Number(hunk[1]);
    const count = hunk[2] === undefined ? 1 : Number(hunk[2]);
    for (let i = 0; i < Math.max(count, 1); i++) lines.push({ path, line: first + i });
  }
  return lines;
}
