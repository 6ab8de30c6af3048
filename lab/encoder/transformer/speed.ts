/*
 * Measures how many tokens per second sequence models embed on the CPU in the engine, compared with the limit set by the
 * machine's matrix products:
 *
 *     python3 lab/encoder/transformer export --random <folder of training-rows> --out <model> --id speed --version 1
 *     node lab/encoder/transformer/speed.ts <folder of Python files> <model> [<other model>]
 *
 * Measures the processor time of all threads, which other work on the machine affects less than wall-clock time.
 */

import { join } from 'node:path';
import {
  createEncoder,
  createInputs,
  type Encoder,
  loadManifest,
  ort,
} from '../../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../../src/services/evaluation/markdown-table.ts';
import { median } from '../../../src/services/evaluation/statistics.ts';
import { readDocuments } from '../../bench/support/documents.ts';

const DOCUMENTS = 96;
const ROUNDS = 5;
/** Shape of the exported encoder and of the matrix products that export writes next to it. */
const SHAPE = { layers: 6, dimensions: 384 };
const PRODUCT = { rows: 2048, inner: 2048, columns: 512 };
const PRODUCT_RUNS = 6;

interface Measured {
  name: string;
  /** Seconds of processor time and of wall-clock time for each round. */
  cpu: number[];
  wall: number[];
  run(): Promise<unknown>;
  close(): Promise<unknown>;
}

async function measure({ cpu, wall, run }: Measured): Promise<void> {
  const usage = process.cpuUsage();
  const start = performance.now();
  await run();
  wall.push((performance.now() - start) / 1e3);
  const { user, system } = process.cpuUsage(usage);
  cpu.push((user + system) / 1e6);
}

/** Loads a product of activations and weights in onnxruntime. */
async function loadProduct(folder: string, precision: 'float32' | 'int8'): Promise<Measured> {
  const session = await ort.InferenceSession.create(join(folder, `product.${precision}.onnx`));
  const { rows, inner } = PRODUCT;
  const values =
    precision === 'int8'
      ? new ort.Tensor('uint8', new Uint8Array(rows * inner).fill(129), [rows, inner])
      : new ort.Tensor('float32', new Float32Array(rows * inner).fill(0.5), [rows, inner]);
  return {
    name: `product ${precision}`,
    cpu: [],
    wall: [],
    async run() {
      for (let i = 0; i < PRODUCT_RUNS; i++) await session.run({ values });
    },
    close: () => session.release(),
  };
}

async function loadModel(folder: string): Promise<Measured> {
  const encoder: Encoder = await createEncoder({ modelFolder: folder, device: 'cpu' });
  const run = () => encoder.encode(documents, (keys) => keys.map(() => false));
  return { name: folder, cpu: [], wall: [], run, close: () => encoder.close() };
}

const [sources, ...folders] = process.argv.slice(2);
const [shape] = folders;
if (sources === undefined || shape === undefined) {
  throw new Error('usage: speed.ts <folder of Python files> <model> [<other model>]');
}
const all = await readDocuments(sources);
const documents = all.filter((_, i) => i % Math.ceil(all.length / DOCUMENTS) === 0);
const inputs = await createInputs(shape, await loadManifest(shape));
const lengths = documents.map((document) => inputs.buildDocument(document).inputIds.length);
const tokens = lengths.reduce((sum, length) => sum + length, 0);

const products = [await loadProduct(shape, 'float32'), await loadProduct(shape, 'int8')];
const models: Measured[] = [];
for (const folder of folders) models.push(await loadModel(folder));
for (const each of [...products, ...models]) await each.run();
for (let round = 0; round < ROUNDS; round++) {
  for (const each of [...products, ...models]) await measure(each);
}

const { layers, dimensions } = SHAPE;
const attention = lengths.reduce((sum, length) => sum + 4 * layers * dimensions * length ** 2, 0);
const operations = 24 * layers * dimensions ** 2 + attention / tokens;
const perProduct = 2 * PRODUCT.rows * PRODUCT.inner * PRODUCT.columns * PRODUCT_RUNS;
const limits = products.map(({ name, cpu }) => {
  const rate = perProduct / median(cpu);
  console.log(`${name}: ${(rate / 1e9).toFixed(0)} G operations per second of processor time`);
  return rate / operations;
});
console.log(
  `${documents.length} chunks, ${tokens} tokens, ${(operations / 1e6).toFixed(1)} M operations per token\n`,
);
const rows = models.map(({ name, cpu, wall }) => {
  const rate = tokens / median(cpu);
  const ofLimits = limits.map((limit) => `${((100 * rate) / limit).toFixed(0)}%`);
  return [name, rate.toFixed(0), (tokens / median(wall)).toFixed(0), ...ofLimits];
});
const head = ['', 'tokens/s of processor time', 'tokens/s', 'of float limit', 'of int8 limit'];
for (const line of formatMarkdownTable(head, rows)) console.log(line);
for (const each of [...products, ...models]) await each.close();
