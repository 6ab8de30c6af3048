/**
 * Measures what each part of the ranking contributes: `npm run lab -- ablations --dataset issues.jsonl --repos ~/clones`
 *
 * Removes signals and fits the weights again without them; gives the encoder less of each chunk, or other chunks than
 * its callees, as CoRet's ablations do (Fehr et al., ACL 2025). Every row is measured on repositories that the weights
 * were not fitted on. The encoder's rows have the candidates of the whole ranking: only their similarity to the issue is
 * replaced.
 */

import { join } from 'node:path';
import {
  createEncoder,
  type Encoder,
  type EncoderDocument,
  encoderDocument,
  NO_MARKS,
  SIGNALS,
  standardize,
} from '../../src/engine/lab.ts';
import { markdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { DEFAULT_MODEL, MODELS_FOLDER } from '../../src/services/models.ts';
import { present } from '../../src/shared/present.ts';
import { collect, readOptions } from './command.ts';
import { leaveOneRepositoryOut } from './held-out.ts';
import { figuresOf, fit, scoresOf } from './linear.ts';
import { type Sample, type Snapshot, sampleOf } from './samples.ts';
import { LINEAR, SHOWN } from './settings.ts';

/** Signals that are one thing. */
const GROUPS: Record<string, string[]> = {
  similarity: ['dense', 'denseProse'],
  words: ['bm25', 'title', 'message', 'quoted', 'wordsInDocstring'],
  'related words': ['related'],
  'its file': ['file'],
  'words of its file and folder': ['fileCoverage', 'folderCoverage'],
  'tests like the issue': ['testFile'],
  'paths in the issue': ['path', 'baseName'],
  'names in the issue': ['name', 'nameCoverage', 'className'],
  'bases and constructors': ['inherited', 'initializer'],
  'tracebacks and scripts': ['frame', 'repro', 'reproCalls'],
  calls: ['called'],
  history: ['historyChunk', 'historyFile', 'churn', 'churnFile', 'cochange'],
  'length and kind': ['length', 'class', 'module'],
  'forms of names': ['private', 'special', 'commonName'],
};

/** The groups, and one of each fitted signal that is in none of them. */
function withOthers(groups: Record<string, string[]>): Record<string, string[]> {
  const grouped = new Set(Object.values(groups).flat());
  const others = SIGNALS.filter(({ name, family }) => family !== 'marks' && !grouped.has(name));
  return { ...groups, ...Object.fromEntries(others.map(({ name, title }) => [title, [name]])) };
}

type Change = (documents: EncoderDocument[]) => EncoderDocument[];

/** What the encoder is given. */
const INPUTS: Record<string, Change> = {
  'as it is': (documents) => documents,
  'without callees': (documents) => documents.map((of) => ({ ...of, callees: [] })),
  'other chunks of the file instead of callees': withSiblings,
  'without path': (documents) => documents.map((of) => ({ ...of, path: '' })),
  'without path and callees': (documents) =>
    documents.map((of) => ({ ...of, path: '', callees: [] })),
};

interface Ablated extends Sample {
  /** Standardised similarity by candidate, by key of `INPUTS`. */
  similarities: Record<string, Float32Array>;
}

const DENSE = SIGNALS.findIndex(({ name }) => name === 'dense');
const DENSE_PROSE = SIGNALS.findIndex(({ name }) => name === 'denseProse');

const options = readOptions('ablations');
const encoder = await createEncoder({
  modelFolder: join(MODELS_FOLDER, DEFAULT_MODEL),
  device: 'cpu',
});
const samples = await collect(options, ablated);
await encoder.close();

const without = (names: readonly string[]) => (sample: Ablated) => ({
  ...sample,
  columns: sample.columns.map((column, f) =>
    names.includes(present(SIGNALS[f], 'a signal').name) ? new Float32Array(column.length) : column,
  ),
});
const similarityTo = (sample: Ablated, input: string) =>
  present(sample.similarities[input], `similarities of ${input}`);
const given = (input: string) => (sample: Ablated) => ({
  ...sample,
  columns: sample.columns.map((column, f) =>
    f === DENSE ? similarityTo(sample, input) : f === DENSE_PROSE ? column.map(() => 0) : column,
  ),
});

console.log(`${samples.length} issues\n`);
const rows: [string, (sample: Ablated) => Sample][] = [
  ['all signals', (sample) => sample],
  ...Object.entries(withOthers(GROUPS)).map(([family, names]): (typeof rows)[number] => [
    `without ${family}`,
    without(names),
  ]),
  ...Object.keys(INPUTS).map((input): (typeof rows)[number] => [
    `similarity to the whole issue alone, input ${input}`,
    given(input),
  ]),
];
const head = ['ranking', ...SHOWN];
console.log(
  markdownTable(
    head,
    rows.map(([name, change]) => rowOf(name, change)),
  ).join('\n'),
);

console.log(
  `\nThe encoder alone, among the same candidates\n\n${markdownTable(
    head,
    Object.keys(INPUTS).map((input) => [
      input,
      ...figuresOf(samples, (sample) => Float64Array.from(similarityTo(sample, input)), SHOWN),
    ]),
  ).join('\n')}`,
);

function rowOf(name: string, change: (sample: Ablated) => Sample): string[] {
  const changed = new Map(samples.map((sample) => [sample, change(sample)]));
  const held = leaveOneRepositoryOut([...changed.values()], (others) => fit(others, LINEAR));
  const scores = (sample: Ablated) =>
    scoresOf(present(changed.get(sample), 'a sample'), held(sample));
  return [name, ...figuresOf(samples, scores, SHOWN)];
}

async function ablated(snapshot: Snapshot): Promise<Ablated[]> {
  const sample = sampleOf(snapshot, NO_MARKS);
  if (!sample) return [];
  const { index, store, queryVectors } = snapshot;
  const heads = new Map<number, string>();
  const documents = sample.slots.map((slot) => encoderDocument(store, index, slot, heads));
  const similarities: Ablated['similarities'] = {};
  for (const [name, change] of Object.entries(INPUTS)) {
    const vectors = await embed(change(documents), encoder);
    const values = Float64Array.from(vectors, (vector) => dot(vector, queryVectors.issue));
    similarities[name] = Float32Array.from(standardize(values, 1));
  }
  return [{ ...sample, similarities }];
}

async function embed(documents: EncoderDocument[], by: Encoder): Promise<Float32Array[]> {
  const { keys, vectors } = await by.encode(documents, (asked) => asked.map(() => false));
  return keys.map((key) => present(vectors.get(key), 'an embedding'));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * present(b[i], 'a dimension'), 0);
}

/** As many other chunks of the same file among the candidates as there are callees; the next ones, so that a run can be repeated. */
function withSiblings(documents: EncoderDocument[]): EncoderDocument[] {
  const byPath = Map.groupBy(documents, ({ path }) => path);
  return documents.map((document) => {
    const others = byPath.get(document.path) ?? [];
    const at = others.indexOf(document);
    const siblings = document.callees.flatMap((_, n) => {
      const other = others[(at + n + 1) % others.length];
      return !other || other === document ? [] : [other];
    });
    return { ...document, callees: siblings.map(({ path, text }) => ({ path, text })) };
  });
}
