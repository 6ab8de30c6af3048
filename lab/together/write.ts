/**
 * Writes what relates the candidates of lists to one another:
 * `npm run -s lab -- training-relations --dataset <jsonl> --repos <folder of clones> --lists <folder> --out <folder> [--most 20] [--data-dir <folder>]`
 *
 * `--lists` has the lists of these issues, as `training-lists` writes them. One `<owner>__<name>.jsonl` a repository, a line an
 * issue (`Relations`); started again, it goes on with the repositories that are missing.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, writeByRepository } from '../data/by-repository.ts';
import { readLists } from '../lists/read.ts';
import { snapshots } from '../ranker/samples.ts';
import { relationsOf } from './relations.ts';

const options = readOptions('training-relations');
const { repos, out, lists, most = '20' } = options;
if (!lists) throw new Error('--lists names no folder of lists');
const byInstance = new Map(
  [...readLists(lists)]
    .filter(({ candidates }) => candidates.length > 0)
    .map((list) => [list.instance, list]),
);
const dataDir = options['data-dir'] ?? join(out, '.indexes');

await writeByRepository(options, async (instances, line) => {
  const listed = instances.filter(({ instance_id }) => byInstance.has(instance_id));
  try {
    for await (const snapshot of snapshots(listed, { repos, dataDir })) {
      const list = byInstance.get(snapshot.instance.instance_id);
      if (list) line(relationsOf(snapshot, list, Number(most)));
      console.error(snapshot.instance.instance_id);
    }
  } finally {
    if (!options['data-dir']) rmSync(dataDir, { recursive: true, force: true });
  }
});
