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
import type { EncoderRow } from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { findBreaches, getFamily, getPart } from '../split/split.ts';
import { Random } from './random.ts';
import { readCopies, readIssues, readMined, type Source } from './sources.ts';
import { copyStart, hasBegun, openStart, type Start, startBag, startSequence } from './start.ts';
import { type Tensor, writeTensors } from './tensors.ts';

const TRAINED_ON = join(import.meta.dirname, '../split/trained-on');
/** Number of token types of a chunk, one for each field. Those of an issue follow. */
const FIELDS = 4;
const LARGEST_COUNT = 255;
/** Maximum number of chunks that a commit or an issue may edit to be used for training. */
const MAX_EDITED = 12;

/** Rows of several texts, concatenated. */
class Rows {
  readonly #ids: number[] = [];
  readonly #counts: number[] = [];
  readonly #sizes: number[] = [];
  readonly #firstType: number;

  constructor(firstType: number) {
    this.#firstType = firstType;
  }

  add({ inputIds, tokenTypeIds, tokenWeights }: EncoderRow): void {
    for (let field = 0; field < FIELDS; field++) {
      const before = this.#ids.length;
      for (const [i, type] of tokenTypeIds.entries()) {
        if (type !== this.#firstType + field) continue;
        this.#ids.push(assertPresent(inputIds[i], 'a token'));
        const count = Math.round(Math.expm1(tokenWeights?.[i] ?? 0));
        this.#counts.push(Math.min(count, LARGEST_COUNT));
      }
      this.#sizes.push(this.#ids.length - before);
    }
  }

  tensors(name: string, isBag: boolean): Record<string, Tensor> {
    return {
      [`${name}_ids`]: { numbers: (isBag ? Int32Array : Uint16Array).from(this.#ids) },
      [`${name}_sizes`]: { numbers: Uint16Array.from(this.#sizes), width: FIELDS },
      ...(isBag && { [`${name}_counts`]: { numbers: Uint8Array.from(this.#counts) } }),
    };
  }
}

/** Writes the file of a repository. */
async function writeSource(source: Source, file: string, start: Start, maxQueryTokens?: number) {
  const inputs = await start.inputs(maxQueryTokens);
  const [documents, queries] = [new Rows(0), new Rows(FIELDS)];
  const docstrings = start.isBag ? source.docstrings : [];
  for (const document of source.documents) documents.add(inputs.buildDocument(document));
  for (const { document } of docstrings) documents.add(inputs.buildDocument(document));
  for (const commit of source.commits)
    for (const query of commit.queries) queries.add(inputs.buildQuery(query));
  for (const { query } of docstrings) queries.add(inputs.buildQuery(query));
  const about = {
    name: source.name,
    part: getPart(source.name),
    ...(source.isReal && { real: 'true' }),
    ...(wasLearned(source.name) && { learned: 'true' }),
    variants: String(source.commits[0]?.queries.length ?? 1),
    instances: JSON.stringify(source.commits.flatMap(({ instance }) => instance ?? [])),
  };
  writeTensors(file, about, {
    ...documents.tensors('documents', start.isBag),
    ...queries.tensors('queries', start.isBag),
    keys: { numbers: Int32Array.from(source.keys) },
    snapshots: { numbers: Uint8Array.from(source.snapshots) },
    docstrings: { numbers: Int32Array.from(docstrings, ({ chunk }) => chunk) },
    snap: { numbers: Uint8Array.from(source.commits, ({ snap }) => snap) },
    ...packLists(
      'pos',
      source.commits.map(({ pos }) => pos),
    ),
    ...packLists(
      'sib',
      source.commits.map(({ sib }) => sib),
    ),
    ...packLists(
      'neg',
      source.commits.map(({ neg }) => neg),
    ),
    ...packLists(
      'candidates',
      source.commits.map(({ candidates = [] }) => candidates),
    ),
  });
  const { name, commits } = source;
  console.log(`${name}: ${source.documents.length} chunks, ${commits.length} queries`);
}

/** Returns tensors of all lists, concatenated, and of their lengths. */
function packLists(name: string, all: readonly number[][]): Record<string, Tensor> {
  return {
    [name]: { numbers: Int32Array.from(all.flat()) },
    [`${name}_sizes`]: { numbers: Int32Array.from(all, ({ length }) => length) },
  };
}

/** Removes chunks, except those of commits and `count` others of each snapshot. */
function thinOut(source: Source, count: number): Source {
  const random = new Random(source.name);
  const named = source.commits.flatMap(({ pos, sib, neg }) => [...pos, ...sib, ...neg]);
  const others = [0, 1, 2].flatMap((snapshot) => {
    const pool = [...source.snapshots.keys()].filter(
      (i) => assertPresent(source.snapshots[i], 'snapshots') & (1 << snapshot),
    );
    return random.some(pool, count);
  });
  const kept = [...new Set([...named, ...others])].sort((a, b) => a - b);
  const places = new Map(kept.map((number, place) => [number, place]));
  const moved = (numbers: readonly number[]) =>
    numbers.map((number) => assertPresent(places.get(number), 'a chunk'));
  const taken = <T>(all: readonly T[]) => kept.map((number) => all[number] as T);
  return {
    ...source,
    documents: taken(source.documents),
    keys: taken(source.keys),
    snapshots: taken(source.snapshots),
    docstrings: source.docstrings.flatMap((pair) => {
      const chunk = places.get(pair.chunk);
      return chunk === undefined ? [] : [{ ...pair, chunk }];
    }),
    commits: source.commits.map(({ candidates: _, pos, sib, neg, ...rest }) => ({
      ...{ ...rest, pos: moved(pos), sib: moved(sib), neg: moved(neg) },
    })),
  };
}

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
  await writeSource(kept, target, start, isTrained ? Number(values['query-tokens']) : undefined);
}
for (const file of issues.flatMap((folder) => listFiles(folder, '.jsonl'))) {
  const target = join(out, 'issues', `${nameOf(file)}.safetensors`);
  if (!existsSync(target)) await writeSource(readIssues(file), target, start);
}
