/**
 * Writes what a reader, a ranker and an encoder learn from: the first candidates of issues with their texts and signals,
 * and which of them the fix edited:
 * `npm run -s training:lists -- --dataset <jsonl> --repos <folder of clones> --out <folder> [--most 100] [--data-dir <folder>]`
 *
 * One `<owner>__<name>.jsonl` a repository, a line an issue (`List`). A repository that fails is told and left out, and
 * written when the command runs again; those that are there are not written again.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneName, type Instance, parseDataset } from '../../src/services/evaluation/dataset.ts';
import { readRanker } from '../ranker/command.ts';
import { snapshots } from '../ranker/samples.ts';
import { listOf } from './list.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    out: { type: 'string' },
    most: { type: 'string', default: '100' },
    'data-dir': { type: 'string' },
  },
});
if (!values.dataset || !values.repos || !values.out) {
  console.error(
    'usage: npm run -s training:lists -- --dataset <jsonl> --repos <folder of clones> --out <folder> [--most 100] [--data-dir <folder>]',
  );
  process.exit(2);
}
const { dataset, repos, out } = values;
const most = Number(values.most);
/** Indexes are of use while their repository is written only, and large: each has a folder that is removed after it. */
const dataDir = values['data-dir'] ?? join(out, '.indexes');
const ranker = readRanker();

mkdirSync(out, { recursive: true });
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset);
for (const [repo, ofRepo] of Map.groupBy(instances, (instance) => instance.repo)) {
  const file = join(out, `${cloneName(repo)}.jsonl`);
  if (existsSync(file)) continue;
  try {
    await write(file, ofRepo);
  } catch (error) {
    console.error(`${repo} is left out: ${(error as Error).message}`);
  }
  if (!values['data-dir']) rmSync(dataDir, { recursive: true, force: true });
}

/** Writes a repository's file; it has its name when it is complete. */
async function write(file: string, ofRepo: readonly Instance[]): Promise<void> {
  const partial = `${file}.partial`;
  const output = openSync(partial, 'w');
  try {
    for await (const snapshot of snapshots(ofRepo, { repos, dataDir })) {
      const list = listOf(snapshot, ranker, most);
      if (list) writeSync(output, `${JSON.stringify(list)}\n`);
      console.error(`${snapshot.instance.instance_id}: ${list?.candidates.length ?? 0} candidates`);
    }
  } finally {
    closeSync(output);
  }
  renameSync(partial, file);
}
