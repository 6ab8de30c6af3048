/**
 * Measures how many chunks per second a model tokenizes and embeds, from text to vectors.
 *
 *     node lab/bench/encode.ts <folder of Python files> [model folder] [device]
 */

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  createEncoder,
  createInputs,
  createKeyFunction,
  createTextQuery,
  loadManifest,
} from '../../src/engine/lab.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import { settings } from '../../src/shared/settings.ts';
import { readDocuments } from './support/documents.ts';

const BATCH = 512;

const [folder, modelFolder = join(import.meta.dirname, '../../models/bag-1'), device = 'auto'] =
  process.argv.slice(2);
if (folder === undefined) throw new Error('usage: encode.ts <folder of Python files>');
const documents = await readDocuments(folder);
console.log(`${documents.length} chunks of ${folder}`);

const manifest = await loadManifest(modelFolder);
const inputs = await createInputs(modelFolder, manifest);
const rows = time('make inputs, this thread', () => documents.map((d) => inputs.buildDocument(d)));
const keyOf = createKeyFunction(manifest.id, manifest.version);
time('make keys, this thread', () => rows.map(keyOf));
const tokens = rows.reduce((sum, row) => sum + row.inputIds.length, 0);
console.log(`${(tokens / rows.length).toFixed(0)} tokens per chunk`);

const beforeStart = performance.now();
const encoder = await createEncoder({ modelFolder, device: settings.shape.device.parse(device) });
console.log(`start: ${(performance.now() - beforeStart).toFixed(0)} ms on ${encoder.device}`);
if (encoder.fallback) console.log(encoder.fallback);

await encodeAll('encode, first time', () => false);
await encodeAll('encode, once warm', () => false);
await encodeAll('all cached', () => true);

const busy = encodeAll('encode, with queries between', () => false);
const waits: number[] = [];
for (let i = 0; i < 40; i++) {
  await setTimeout(15);
  const start = performance.now();
  await encoder.encodeQuery(
    createTextQuery(`Parsing fails for value ${i}\nValueError in parse_header, line 3`),
  );
  waits.push(performance.now() - start);
}
await busy;
console.log(
  `query while encoding: median ${median(waits).toFixed(1)} ms, worst ${Math.max(...waits).toFixed(1)} ms`,
);
await encoder.close();

/** Encodes as the indexer does: batches of 512, two at a time. */
async function encodeAll(what: string, isCached: () => boolean): Promise<void> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  let previous: Promise<unknown> = Promise.resolve();
  for (let at = 0; at < documents.length; at += BATCH) {
    const current = encoder.encode(documents.slice(at, at + BATCH), (keys) => keys.map(isCached));
    await previous;
    previous = current;
  }
  await previous;
  const { user, system } = process.cpuUsage(cpu);
  report(what, performance.now() - start, ` (${((user + system) / 1000).toFixed(0)} ms of CPU)`);
}

function time<T>(what: string, work: () => T): T {
  const start = performance.now();
  const result = work();
  report(what, performance.now() - start);
  return result;
}

function report(what: string, ms: number, note = ''): void {
  const rate = ((1000 * documents.length) / ms).toFixed(0);
  console.log(`${what}: ${ms.toFixed(0)} ms, ${rate} chunks/s${note}`);
}
