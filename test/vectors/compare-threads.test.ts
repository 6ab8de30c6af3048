import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  awaitJob,
  beginJob,
  type CompareJob,
  compareBlocks,
  compareRows,
  createSharedState,
} from '../../src/engine/vectors/compare-job.ts';
import { CompareThreads } from '../../src/engine/vectors/compare-threads.ts';
import { createDotKernel } from '../../src/engine/vectors/dot-kernel.ts';
import { createSharedMemory } from '../../src/engine/vectors/wasm.ts';

const NUMBERS = 512;

/** Returns memory with a random query, rows of random bytes, and room for their products. */
function memoryOf(count: number, rowBytes = NUMBERS) {
  const memory = createSharedMemory();
  const queryBytes = 2 * NUMBERS;
  const rows = queryBytes;
  const rowsEnd = rows + count * rowBytes;
  memory.grow(Math.ceil((rowsEnd + 4 * count) / 65_536));
  const query = new Int16Array(memory.buffer, 0, NUMBERS);
  const numbers = new Int8Array(memory.buffer, rows, count * rowBytes);
  for (let i = 0; i < query.length; i++) query[i] = Math.random() * 2000 - 1000;
  for (let i = 0; i < numbers.length; i++) numbers[i] = Math.random() * 255 - 127;
  const job = { queryBytes, rowBytes, rows, rowsEnd, out: rowsEnd };
  const products = () => new Float32Array(memory.buffer, rowsEnd, count);
  return { memory, dots: createDotKernel(memory), job, products };
}

test('several threads compute the same as one, for any number of rows and memories', async (t) => {
  const threads = new CompareThreads(2, 0, 0);
  t.after(() => threads.stop());
  for (const count of [1, 2047, 2048, 2049, 40_000]) {
    // Rows without gaps, and with gaps.
    const { memory, dots, job, products } = memoryOf(count, NUMBERS + (count % 2) * 28);
    compareRows(dots, job);
    const alone = products().slice();
    for (let time = 0; time < 5; time++) {
      products().fill(Number.NaN);
      threads.compare(memory, dots, job);
      assert.deepEqual(products(), alone);
      await sleep(20);
    }
  }
  assert.equal(threads.running, 2);
});

test('few rows wake no thread, and stopped threads start again', async (t) => {
  const threads = new CompareThreads(1, 1000 * NUMBERS, 0);
  t.after(() => threads.stop());
  const few = memoryOf(999);
  threads.compare(few.memory, few.dots, few.job);
  assert.equal(threads.running, 0);
  const many = memoryOf(10_000);
  for (let time = 0; time < 2; time++) {
    threads.compare(many.memory, many.dots, many.job);
    assert.equal(threads.running, 1);
    const together = many.products().slice();
    compareRows(many.dots, many.job);
    assert.deepEqual(together, many.products());
    threads.stop();
    assert.equal(threads.running, 0);
  }
});

test('a command that searches once starts no thread', (t) => {
  const threads = new CompareThreads(1, 0, 100);
  t.after(() => threads.stop());
  const { memory, dots, job } = memoryOf(10);
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  threads.compare(memory, dots, job);
  now = 99;
  threads.compare(memory, dots, job);
  assert.equal(threads.running, 0);
  now = 100;
  threads.compare(memory, dots, job);
  assert.equal(threads.running, 1);
});

test('a thread does a whole job if it is alone, and nothing if the job is over', () => {
  const { memory, dots, job, products } = memoryOf(10_000);
  const shared = createSharedState();
  const asked: CompareJob = { ...job, memory: 7 };
  const { number, blocks } = beginJob(shared, asked);
  assert.equal(blocks, 5);
  const seen = awaitJob(shared, 0);
  assert.deepEqual(seen, { number, job: asked });
  products().fill(Number.NaN);
  compareBlocks(shared, seen.number, seen.job, createDotKernel(memory));
  const helped = products().slice();
  compareRows(dots, job);
  assert.deepEqual(helped, products());

  products().fill(0);
  beginJob(shared, asked);
  compareBlocks(shared, seen.number, seen.job, dots);
  assert.ok(
    products().every((product) => product === 0),
    'of the next job it takes nothing',
  );
});

test('waiting threads do not keep a process running', () => {
  const script = `
    const { CompareThreads } = await import('../../src/engine/vectors/compare-threads.ts');
    const { createDotKernel } = await import('../../src/engine/vectors/dot-kernel.ts');
    const { createSharedMemory } = await import('../../src/engine/vectors/wasm.ts');
    const memory = createSharedMemory();
    const threads = new CompareThreads(2, 0, 0);
    const job = { queryBytes: 128, rowBytes: 64, rows: 128, rowsEnd: 192, out: 192 };
    threads.compare(memory, createDotKernel(memory), job);
    await new Promise((resolve) => setTimeout(resolve, 300));
    threads.compare(memory, createDotKernel(memory), job);
    console.log(threads.running);
  `;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(told, '2\n');
});
