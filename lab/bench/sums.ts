/**
 * Compares a bag model in the engine and in onnxruntime: `node lab/bench/sums.ts <folder of sources> [model folder]`. Prints the
 * processor time and memory to load it, the processor time for 6,000 chunks in the indexer's batches, and the largest difference
 * between two numbers.
 */

import { join } from 'node:path';
import {
  bag,
  createInputs,
  groupIntoBatches,
  type LoadedModel,
  loadInRuntime,
  loadManifest,
  openModel,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readDocuments } from './support/documents.ts';

const CHUNKS = 6_000;
const RUNS = 3;

const [folder, modelFolder = join(import.meta.dirname, '../../models/bag-1')] =
  process.argv.slice(2);
if (folder === undefined) throw new Error('usage: sums.ts <folder of sources> [model folder]');
const manifest = await loadManifest(modelFolder);
const inputs = await createInputs(modelFolder, manifest);
const documents = (await readDocuments(folder)).slice(0, CHUNKS);
const rows = documents.map((document) => inputs.buildDocument(document));
const tokens = rows.reduce((sum, { inputIds }) => sum + inputIds.length, 0);
console.log(`${rows.length} chunks, ${(tokens / rows.length).toFixed(0)} tokens each`);
const batched = groupIntoBatches(rows, bag.batchTokens).map((batch) =>
  batch.map((index) => assertPresent(rows[index], 'a row of a batch')),
);

const here = await timeOpening(
  'engine',
  async () => (await openModel(modelFolder, manifest, 'cpu', [])).model,
);
const made = await embedBatches('engine', here);
const runtime = await timeOpening('onnxruntime', () => loadInRuntime(modelFolder, manifest, 'cpu'));
const expected = await embedBatches('onnxruntime', runtime);
const largest = made.map((batch, i) =>
  findLargestDifference(batch, assertPresent(expected[i], 'a batch')),
);
console.log(`largest difference: ${Math.max(...largest).toExponential(1)}`);

async function timeOpening(what: string, open: () => Promise<LoadedModel>): Promise<LoadedModel> {
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const model = await open();
  const memory = (process.memoryUsage.rss() - before) / 1e6;
  console.log(`${what}: loaded in ${since(start)} ms, ${memory.toFixed(0)} MB`);
  return model;
}

/** Returns the embeddings of the batches, and prints the shortest time of several runs. */
async function embedBatches(what: string, model: LoadedModel): Promise<Float32Array[]> {
  let embeddings: Float32Array[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start = process.cpuUsage();
    embeddings = [];
    for (const batch of batched) embeddings.push(await model.run(batch));
    least = Math.min(least, since(start));
  }
  console.log(`${what}: embedded in ${least} ms`);
  return embeddings;
}

/** Returns the milliseconds of processor time since `start`. */
function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return Math.round((user + system) / 1000);
}

function findLargestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
}
