/**
 * Files that a person named on the command line. They may be of any kind, such as a pipe of the shell's `<(…)` or a terminal, so that
 * reading them may never end: it has a bound in bytes, and can be cancelled.
 */
import { close, constants, fstat, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream as TerminalStream } from 'node:tty';
import { promisify } from 'node:util';
import { throwIfCancelled } from './cancel.ts';
import { NO_WAIT } from './untrusted-folder.ts';

const FLAGS = constants.O_RDONLY | NO_WAIT;

/** Bytes read between two looks at the signal. */
const STEP_BYTES = 2 ** 20;

export interface NamedFileLimits {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** A file has more bytes than its reader takes. */
export class FileTooLarge extends Error {}

/**
 * Yields the bytes of a file, whatever its kind.
 * @throws FileTooLarge; LocusError `cancelled`; the system's errors
 */
export async function* readNamedFile(
  path: string,
  { maxBytes, signal }: NamedFileLimits,
): AsyncGenerator<Buffer> {
  const checkSignal = () => throwIfCancelled(signal, `Reading ${path}`);
  checkSignal();
  let size = 0;
  try {
    for await (const bytes of await openChunks(path, signal)) {
      checkSignal();
      size += bytes.length;
      if (size > maxBytes) throw new FileTooLarge(`${path} has more than ${maxBytes} bytes`);
      yield bytes;
    }
  } catch (error) {
    // A stream that the signal ended.
    checkSignal();
    throw error;
  }
}

/** Returns all bytes of a file. @throws as `readNamedFile` */
export async function readWhole(path: string, limits: NamedFileLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const bytes of readNamedFile(path, limits)) chunks.push(bytes);
  return Buffer.concat(chunks);
}

/** Opens a file. Its bytes close it at their end, or when nobody wants more of them. */
async function openChunks(
  path: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Buffer>> {
  const file = await promisify(open)(path, FLAGS);
  const kind = await promisify(fstat)(file);
  // The event loop waits for these; a thread that waited would keep the process from ending.
  if (kind.isFIFO()) return untilAborted(new Socket({ fd: file, writable: false }), signal);
  if (isatty(file)) return untilAborted(new TerminalStream(file), signal);
  return readSteps(file);
}

function untilAborted(stream: Socket, signal: AbortSignal | undefined): Socket {
  const end = () => stream.destroy();
  signal?.addEventListener('abort', end, { once: true });
  return stream.once('close', () => signal?.removeEventListener('abort', end));
}

async function* readSteps(file: number): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const step = Buffer.allocUnsafe(STEP_BYTES);
      const { bytesRead } = await promisify(read)(file, step, 0, STEP_BYTES, null);
      if (bytesRead === 0) return;
      yield step.subarray(0, bytesRead);
    }
  } finally {
    await promisify(close)(file);
  }
}
