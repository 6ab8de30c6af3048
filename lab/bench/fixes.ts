/**
 * Prints the ranks of the functions that real fixes edited: `npm run lab -- bench-fixes <clone> <commit> [<commit> ...]`
 *
 * For each commit, replays it as `locus bench` does: indexes its parent from the object store and searches it with the commit's
 * message. Prints one Markdown row for each commit. `locus bench` chooses commits itself.
 */
import { basename, resolve } from 'node:path';
import { readMessage } from '../../demo/messages.ts';
import { judgeHistory } from '../../src/engine/index.ts';
import { replayFix } from '../../src/services/bench/replay.ts';
import { openRepository } from '../../src/services/open-repository.ts';

const [clone, ...commits] = process.argv.slice(2);
if (!clone || commits.length === 0) {
  console.error('usage: npm run lab -- bench-fixes <clone> <commit> [<commit> ...]');
  process.exit(2);
}
const root = resolve(clone);
const filter = { minMessage: 1, maxFiles: 100, requireTests: false };

for (const commit of commits) {
  const issues = [{ commit, text: await readMessage(root, commit) }];
  const { candidates } = await judgeHistory(root, commit, { filter, issues });
  for (const candidate of candidates) {
    const fix = await replayFix(root, candidate, {
      open: openRepository,
      openOptions: {},
      index: (repository) => repository.index(),
    });
    const ranks =
      typeof fix === 'string'
        ? [fix]
        : fix.edited.map((address, i) => {
            const rank = (fix.reranked ?? fix.initial)[i];
            return `${rank ?? '> 1000'}: \`${address}\``;
          });
    console.log(
      `| ${basename(root)} ${commit.slice(0, 10)} | ${candidate.message.split('\n')[0]} | ${ranks.join('<br>')} |`,
    );
  }
}
