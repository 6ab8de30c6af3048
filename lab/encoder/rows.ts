/**
 * Writes the rows of tokens that encoders are trained and measured on, as the engine makes them:
 * `npm run -s lab -- training-rows --data <folder of mine> --copies <folder of training-issues> --out <folder>`
 *
 * Writes one `<owner+name>.safetensors` for each repository; those for measurement only are in `issues/`. docs/reference/training.md
 * describes the format. Existing files are not written again, so that a stopped run can continue.
 *
 * - `--data`, `--learn`: files of `mine`, and lists of `training-lists`, to learn from.
 * - `--issues`: files of `training-issues` or `training-lists`, to measure on. Repeatable.
 * - `--copies`: files of `training-issues`. Functions that are copies of theirs are not used for training.
 * - `--model`: a model whose tokenizer is used; or `--bert`: vocab.txt of a pretrained BERT. By default, a vocabulary is chosen:
 *   `--words`, `--word-buckets`, `--pair-buckets`.
 * - `--variants`: number of issues to make from a commit. `--query-tokens`: maximum tokens of an issue to learn from.
 * - `--random`: number of random chunks of each snapshot, besides those of commits. By default, all chunks.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findBreaches, getFamily, getPart } from '../split/split.ts';
import { readCopies, readIssues, readMined } from './sources.ts';
import { copyStart, hasBegun, openStart, startBag, startSequence } from './start.ts';
import { thinOut, writeSource } from './write-source.ts';

const TRAINED_ON = join(import.meta.dirname, '../split/trained-on');
/** Maximum number of chunks that a commit or an issue may edit to be used for training. */
const MAX_EDITED = 12;

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ data: option, learn: option, copies: option, out: option, model: option, bert: option },
    issues: { type: 'string', multiple: true, default: [] as string[] },
    words: { type: 'string', default: '40000' },
    'word-buckets': { type: 'string', default: '16384' },
    'pair-buckets': { type: 'string', default: '65536' },
    variants: { type: 'string', default: '2' },
    'query-tokens': { type: 'string', default: '256' },
    random: option,
  },
});
const { data, learn, out, issues } = values;
if (!out || ((data || learn) && !values.copies)) {
  console.error(
    'usage: npm run -s lab -- training-rows [--data <folder>] [--learn <folder>] --copies <folder> [--issues <folder>] --out <folder> [--model <folder> | --bert <vocab.txt>]',
  );
  process.exit(2);
}

/** Returns the files of a folder with this ending. */
function listFiles(folder: string | undefined, ending: string): string[] {
  const names = folder ? readdirSync(folder).filter((name) => name.endsWith(ending)) : [];
  return names.sort().map((name) => join(folder ?? '', name));
}

const nameOf = (file: string) =>
  basename(file)
    .replace(/\.(zst|jsonl)$/, '')
    .replace('__', '+');
const [mined, listed] = [listFiles(data, '.zst'), listFiles(learn, '.jsonl')];
const refused = findBreaches([...mined, ...listed].map(nameOf), 'train', 'tune');
if (refused.length > 0) {
  console.error(
    `The split in lab/split forbids training on ${refused.join(', ')}. Remove their files.`,
  );
  process.exit(1);
}
mkdirSync(join(out, 'issues'), { recursive: true });
if (!hasBegun(out)) {
  const toLearn = mined.filter((file) => getPart(nameOf(file)) === 'train');
  if (values.model) copyStart(values.model, out);
  else if (values.bert) startSequence(out, values.bert);
  else
    await startBag(out, toLearn, {
      words: Number(values.words),
      wordBuckets: Number(values['word-buckets']),
      pairBuckets: Number(values['pair-buckets']),
    });
}
const learnedFamilies = readFamilies(values.model);

/** Returns the families of the repositories that a model learned from, if `lab/split` records them. */
function readFamilies(model: string | undefined): Set<string> {
  const file = join(TRAINED_ON, `${basename(resolve(model ?? ''))}.json`);
  if (!existsSync(file)) return new Set();
  const { repositories }: { repositories: string[] } = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(repositories.map(getFamily));
}

function wasLearned(name: string): boolean {
  return learnedFamilies.has(getFamily(name));
}

const start = openStart(out);
const copies = values.copies ? readCopies(values.copies) : new Set<string>();
for (const file of [...mined, ...listed]) {
  const target = join(out, `${nameOf(file)}.safetensors`);
  if (existsSync(target)) continue;
  const isTrained = getPart(nameOf(file)) === 'train';
  const left = isTrained ? copies : new Set<string>();
  const source = mined.includes(file)
    ? await readMined(file, left, Number(values.variants))
    : readIssues(file, left);
  source.commits = source.commits.filter(({ pos }) => pos.length > 0 && pos.length <= MAX_EDITED);
  const kept = values.random && isTrained ? thinOut(source, Number(values.random)) : source;
  const maxQueryTokens = isTrained ? Number(values['query-tokens']) : undefined;
  await writeSource(kept, target, start, { maxQueryTokens, isLearned: wasLearned(kept.name) });
}
for (const file of issues.flatMap((folder) => listFiles(folder, '.jsonl'))) {
  const target = join(out, 'issues', `${nameOf(file)}.safetensors`);
  if (existsSync(target)) continue;
  const source = readIssues(file);
  await writeSource(source, target, start, { isLearned: wasLearned(source.name) });
}
