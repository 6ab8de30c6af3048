import { read } from 'node:fs';
import { promisify } from 'node:util';

const readAsync = promisify(read);

/** Systems read no more bytes at once. */
const MOST_AT_ONCE = 1 << 30;

/** Memory to be filled from a place of a file on. */
export interface Part {
  into: Uint8Array;
  position: number;
}

/**
 * Fills memory from an open file in Node's thread pool, while this thread does something else; settles when nothing is read any
 * more, so that the file may be closed. Rejects with the system's errors.
 * @returns false where the file ends before
 */
export async function readElsewhere(file: number, parts: readonly Part[]): Promise<boolean> {
  const reading = parts.map((part) => fill(file, part));
  await Promise.allSettled(reading);
  return (await Promise.all(reading)).every(Boolean);
}

async function fill(file: number, { into, position }: Part): Promise<boolean> {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(into.length - done, MOST_AT_ONCE);
    const { bytesRead } = await readAsync(file, into, done, length, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}
