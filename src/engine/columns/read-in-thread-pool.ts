import { read } from 'node:fs';
import { promisify } from 'node:util';

const readAsync = promisify(read);

/** Maximum number of bytes per read that all operating systems support. */
const MAX_AT_ONCE = 1 << 30;

/** A range of a file to read, and the memory to read it into. */
export interface FileRange {
  into: Uint8Array;
  /** Offset in the file, in bytes. */
  position: number;
}

/**
 * Reads ranges of an open file in Node's thread pool, so that this thread can do other work. Settles only when all reads have
 * ended, so that the file can be closed. Rejects with the system's errors.
 * @returns false if the file is too short
 */
export async function readInThreadPool(
  file: number,
  parts: readonly FileRange[],
): Promise<boolean> {
  const reading = parts.map((part) => readRange(file, part));
  await Promise.allSettled(reading);
  return (await Promise.all(reading)).every(Boolean);
}

async function readRange(file: number, { into, position }: FileRange): Promise<boolean> {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(into.length - done, MAX_AT_ONCE);
    const { bytesRead } = await readAsync(file, into, done, length, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}
