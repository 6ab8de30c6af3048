/**
 * Draws issues of a data set: `npm run -s lab -- draw-issues --dataset <jsonl> --seed <text> --each <of a repository> > drawn.jsonl`
 *
 * Takes at most so many issues of each repository, of those that have between 120 and 8,000 characters, in an order that depends only
 * on the seed and the issue.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { Random } from '../encoder/random.ts';

const MIN_LENGTH = 120;
const MAX_LENGTH = 8_000;

const option = { type: 'string' } as const;
const { values } = parseArgs({ options: { dataset: option, seed: option, each: option } });
const { dataset, seed, each } = values;
if (!dataset || !seed || !each) {
  console.error(
    'usage: npm run -s lab -- draw-issues --dataset <jsonl> --seed <text> --each <number>',
  );
  process.exit(2);
}
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset).filter(
  ({ problem_statement: { length } }) => length >= MIN_LENGTH && length <= MAX_LENGTH,
);
const byRepository = [...Map.groupBy(instances, ({ repo }) => repo)].sort(([a], [b]) =>
  a < b ? -1 : 1,
);
for (const [repo, issues] of byRepository) {
  const random = new Random(`${seed} ${repo}`);
  for (const issue of random.some(issues, Number(each))) console.log(JSON.stringify(issue));
}
console.error(`seed ${seed}: ${byRepository.length} repositories`);
