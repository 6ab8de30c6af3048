/**
 * Measures the processor time to open an indexed repository and search it, in a separate process:
 * `node --expose-gc lab/bench/start.ts <folder> <data directory> <file of an issue>`. Other programs affect wall-clock time more.
 * Run it twice: closing writes the snapshot's file if it is missing.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openRepository } from '../../src/services/open-repository.ts';

const AGAIN = 20;

let before = 0;

const { positionals } = parseArgs({ allowPositionals: true });
const [root, dataDir, file] = positionals;
if (!root || !dataDir || !file) {
  console.error('usage: node --expose-gc lab/bench/start.ts <folder> <data directory> <file>');
  process.exit(2);
}
const issue = readFileSync(file, 'utf8');
const steps: [string, number][] = [['modules loaded', readProcessorSeconds()]];
const repository = await openRepository(root, { dataDir, device: 'cpu' });
steps.push(['opened', readProcessorSeconds()]);
// Only the initial ranking, so that no reranker is loaded.
const request = { issue, rerank: { count: 0 } };
const { repository: searched } = await repository.search(request);
steps.push(['first search', readProcessorSeconds()]);
for (let i = 0; i < AGAIN; i++) await repository.search(request);
const again = readProcessorSeconds() / AGAIN;
globalThis.gc?.();
const { rss, heapUsed, external } = process.memoryUsage();

console.log(`${searched.chunks.toLocaleString('en')} chunks in ${searched.files} files`);
for (const [step, seconds] of steps) console.log(`${step.padEnd(16)} ${seconds.toFixed(2)} s`);
console.log(`${'second search'.padEnd(16)} ${again.toFixed(3)} s`);
console.log(
  `memory ${inMegabytes(rss)}, heap ${inMegabytes(heapUsed)}, external ${inMegabytes(external)}`,
);
await repository.close();

/** Returns the processor time of all threads, in seconds, since the last call. */
function readProcessorSeconds(): number {
  const { user, system } = process.cpuUsage();
  const total = (user + system) / 1e6;
  const since = total - before;
  before = total;
  return since;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}
