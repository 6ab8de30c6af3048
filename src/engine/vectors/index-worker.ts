/*
 * The thread that builds the file of an approximate index.
 */
import { open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import {
  emptyIndex,
  type IndexWork,
  sha256Of,
  trailerBytes,
  unfinishedPath,
} from './index-file.ts';

/** Vectors added at once; the thread can be ended between two such steps. */
const STEP = 2_048;

const { path, stamp, content } = workerData as IndexWork;
const unfinished = unfinishedPath(path);

async function build(): Promise<void> {
  const { dimensions, keys, vectors } = content;
  const index = emptyIndex(dimensions);
  for (let at = 0; at < keys.length; at += STEP) {
    const end = Math.min(at + STEP, keys.length);
    const rows = vectors.subarray(at * dimensions, end * dimensions);
    index.add(BigUint64Array.from(keys.subarray(at, end), BigInt), rows, 1);
    // Gives way to being ended.
    await new Promise(setImmediate);
  }
  index.save(unfinished);
  const { size } = await stat(unfinished);
  const sha256 = await sha256Of(unfinished, size);
  await appendAndSync(unfinished, trailerBytes({ stamp, dimensions, count: keys.length, sha256 }));
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}

async function appendAndSync(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'a');
  await handle.write(bytes);
  await handle.sync();
  await handle.close();
}

/** Makes the renaming last; Windows neither needs nor allows it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

await build();
