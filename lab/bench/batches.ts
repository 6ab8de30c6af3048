/**
 * Measures how many tokens per second a sequence model embeds on the CPU, by the shape of its batches: the candidates of a
 * list one by one; in their order, as many at once as fit, padded to the longest; or grouped by similar length.
 *
 *     node lab/bench/batches.ts <folder of Python files> <model folder>
 */
import {
  createInputs,
  type EncoderRow,
  groupIntoBatches,
  loadManifest,
  openModel,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readDocuments } from './support/documents.ts';

/** Number of candidates in a list. */
const LIST = 50;
const ROUNDS = 3;

type Rows = readonly EncoderRow[];

const byLength = (most: number) => (rows: Rows) =>
  groupIntoBatches(rows, most).map((batch) => batch.map((at) => assertPresent(rows[at], 'a row')));

const SHAPES: [string, (rows: Rows) => Rows[]][] = [
  ['one by one', (rows) => rows.map((row) => [row])],
  ['in order, up to 512 tokens', (rows) => inOrder(rows, 512)],
  ['in order, up to 2048 tokens', (rows) => inOrder(rows, 2048)],
  ['by length, up to 512 tokens', byLength(512)],
  ['by length, up to 2048 tokens', byLength(2048)],
];

const [folder, modelFolder] = process.argv.slice(2);
if (folder === undefined || modelFolder === undefined)
  throw new Error('usage: batches.ts <folder of Python files> <model folder>');
const manifest = await loadManifest(modelFolder);
const inputs = await createInputs(modelFolder, manifest);
const documents = await readDocuments(folder);
const step = Math.max(1, Math.floor(documents.length / LIST));
const rows = documents
  .filter((_, i) => i % step === 0)
  .slice(0, LIST)
  .map((document) => inputs.buildDocument(document));
const tokens = rows.reduce((sum, { inputIds }) => sum + inputIds.length, 0);
console.log(`${rows.length} chunks, ${(tokens / rows.length).toFixed(0)} tokens each on average\n`);

const { model } = await openModel(modelFolder, manifest, 'cpu', []);
const measured = SHAPES.map(([name, shape]) => ({
  name,
  runs: shape(rows),
  wall: [] as number[],
  cpu: [] as number[],
}));
// Each round times all shapes, so that other work on the machine affects them equally.
for (let round = 0; round < ROUNDS; round++) {
  for (const { runs, wall, cpu } of measured) {
    const start = performance.now();
    const before = process.cpuUsage();
    for (const batch of runs) await model.run(batch);
    const { user, system } = process.cpuUsage(before);
    wall.push((performance.now() - start) / 1e3);
    cpu.push((user + system) / 1e6);
  }
}
await model.release();

const lines = formatMarkdownTable(
  ['batches', 'runs', 'padding', 'tokens/s', 'tokens/s of processor time', 'the list'],
  measured.map(({ name, runs, wall, cpu }) => {
    const padded = runs.reduce((sum, batch) => sum + batch.length * longest(batch), 0);
    return [
      name,
      String(runs.length),
      `${(100 * (1 - tokens / padded)).toFixed(0)}%`,
      (tokens / median(wall)).toFixed(0),
      (tokens / median(cpu)).toFixed(0),
      `${median(wall).toFixed(2)} s`,
    ];
  }),
);
for (const line of lines) console.log(line);

/** Groups rows in their order into batches of at most `most` tokens, padding included. */
function inOrder(all: Rows, most: number): Rows[] {
  const made: EncoderRow[][] = [[]];
  for (const row of all) {
    const batch = assertPresent(made.at(-1), 'the last batch');
    if (batch.length > 0 && (batch.length + 1) * longest([...batch, row]) > most) made.push([row]);
    else batch.push(row);
  }
  return made;
}

function longest(batch: Rows): number {
  return Math.max(1, ...batch.map(({ inputIds }) => inputIds.length));
}
