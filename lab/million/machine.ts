/** Measures the limits of the machine: `Limits`. */

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isIndexedPath, openTree, ParserPool, type SourceFile } from '../../src/engine/lab.ts';
import type { Limits } from './points.ts';
import { answerTask, processorSeconds } from './task.ts';

const question = z.object({ roots: z.array(z.string()), folder: z.string() });
/** Maximum size of the parsed sources in bytes. */
const PARSED = 8_000_000;
const COMPARED = 256 << 20;
const BLOCK = 1 << 20;
const BLOCKS = 256;
const ROUNDS = 5;

await answerTask(async (asked): Promise<Limits> => {
  const { roots, folder } = question.parse(JSON.parse(asked));
  return { ...(await timeParsing(roots)), memory: timeReading(), disk: timeWriting(folder) };
});

/** Times parsing with the same number of bytes from each folder, so that all their languages are included. */
async function timeParsing(
  roots: readonly string[],
): Promise<Pick<Limits, 'parsing' | 'parsingProcessor'>> {
  const sources: SourceFile[] = [];
  let bytes = 0;
  for (const root of roots) {
    const tree = await openTree(root, {});
    const { entries } = await tree.list(isIndexedPath);
    let room = PARSED / roots.length;
    const some = spread(entries).filter(({ size }) => {
      room -= size;
      return room > 0;
    });
    for await (const content of tree.read(some)) {
      if (!('text' in content)) continue;
      sources.push(content);
      bytes += content.size;
    }
    await tree.close();
  }
  const pool = new ParserPool();
  const start = performance.now();
  const before = processorSeconds();
  for await (const _ of pool.parse([sources])) void _;
  const seconds = (performance.now() - start) / 1000;
  const processor = processorSeconds() - before;
  await pool.close();
  return { parsing: bytes / 1e6 / seconds, parsingProcessor: bytes / 1e6 / processor };
}

/** Reorders a list so that its first items come from all parts of it. */
function spread<T>(list: readonly T[]): T[] {
  const step = 17;
  return Array.from({ length: step }, (_, i) => list.filter((_, at) => at % step === i)).flat();
}

/** Returns the speed of reading memory in GB per second, by comparing two equal buffers to their end. */
function timeReading(): number {
  const [one, other] = [Buffer.alloc(COMPARED, 1), Buffer.alloc(COMPARED, 1)];
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    if (!one.equals(other)) throw new Error('equal memory differs');
    return performance.now() - start;
  });
  return (2 * COMPARED) / Math.min(...times) / 1e6;
}

/** Returns the speed of writing to disk in MB per second, including the flush. */
function timeWriting(folder: string): number {
  const path = join(folder, 'written');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(BLOCK, 1);
  try {
    const start = performance.now();
    for (let i = 0; i < BLOCKS; i++) writeSync(file, block);
    fsyncSync(file);
    return (BLOCKS * BLOCK) / (performance.now() - start) / 1000;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
