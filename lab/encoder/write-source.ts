/** Writes the tokens of a repository as a file of rows. docs/reference/training.md describes the format. */

import type { EncoderRow } from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { getPart } from '../split/split.ts';
import { Random } from './random.ts';
import type { Source } from './sources.ts';
import type { Start } from './start.ts';
import { type Tensor, writeTensors } from './tensors.ts';

/** Number of token types of a chunk, one for each field. Those of an issue follow. */
const FIELDS = 4;
const LARGEST_COUNT = 255;

/** Rows of several texts, concatenated. */
export class Rows {
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

interface WriteOptions {
  /** Maximum number of tokens of a query; by default that of the model. */
  maxQueryTokens?: number | undefined;
  /** True if the model whose tokenizer is used learned from the repository. */
  isLearned?: boolean;
}

/** Writes the file of a repository. */
export async function writeSource(
  source: Source,
  file: string,
  start: Start,
  { maxQueryTokens, isLearned = false }: WriteOptions = {},
): Promise<void> {
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
    ...(isLearned && { learned: 'true' }),
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
    ...(source.commits.some(({ list }) => list) && packScores(source)),
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

/** Returns the initial scores of all candidates, concatenated, and the number of edited chunks of each list. */
function packScores({ commits }: Source): Record<string, Tensor> {
  const lists = commits.map(({ list }) => assertPresent(list, 'a list'));
  return {
    scores: { numbers: Float32Array.from(lists.flatMap(({ scores }) => scores)) },
    edited: { numbers: Uint16Array.from(lists, ({ edited }) => edited) },
  };
}

/** Removes chunks, except those of commits and `count` others of each snapshot. */
export function thinOut(source: Source, count: number): Source {
  const random = new Random(source.name);
  const named = source.commits.flatMap(({ pos, sib, neg, list, candidates = [] }) => [
    ...[...pos, ...sib, ...neg],
    ...(list ? candidates : []),
  ]);
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
    commits: source.commits.map(({ candidates = [], pos, sib, neg, ...rest }) => ({
      ...{ ...rest, pos: moved(pos), sib: moved(sib), neg: moved(neg) },
      ...(rest.list && { candidates: moved(candidates) }),
    })),
  };
}
