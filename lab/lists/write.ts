/**
 * Writes training data for rerankers, rankers and encoders: the first candidates of issues with their texts and signals,
 * and which of them the fix edited:
 * `npm run -s lab -- training-lists --dataset <jsonl> --repos <folder of clones> --out <folder> [--most 100] [--data-dir <folder>]`
 *
 * Writes one `<owner>__<name>.jsonl` for each repository, with a line for each issue (`List`). Reports and skips a repository
 * that fails; the next run tries it again. Existing files are not written again.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, writeByRepository } from '../data/by-repository.ts';
import { readRanker } from '../ranker/command.ts';
import { snapshots } from '../ranker/samples.ts';
import { makeList } from './list.ts';

const options = readOptions('training-lists');
const { repos, out, most = '100' } = options;
const ranker = readRanker();
/** Indexes are large and needed only while their repository is written. Without `--data-dir`, each is removed then. */
const dataDir = options['data-dir'] ?? join(out, '.indexes');

await writeByRepository(options, async (instances, line) => {
  try {
    for await (const snapshot of snapshots(instances, { repos, dataDir })) {
      const list = makeList(snapshot, ranker, Number(most));
      if (list) line(list);
      console.error(`${snapshot.instance.instance_id}: ${list?.candidates.length ?? 0} candidates`);
    }
  } finally {
    if (!options['data-dir']) rmSync(dataDir, { recursive: true, force: true });
  }
});
