/**
 * Reads files named on the command line. They may be of any kind, such as a pipe of the shell's `<(…)` or a terminal, which may never
 * end. Reading therefore has a limit in bytes and can be cancelled.
 */
import { close, constants, fstat, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream as TerminalStream } from 'node:tty';
import { promisify } from 'node:util';
import { throwIfCancelled } from './cancel.ts';
import { NO_WAIT } from './untrusted-folder.ts';

const FLAGS = constants.O_RDONLY | NO_WAIT;

/** Bytes read between two checks of the signal. */
const STEP_BYTES = 2 ** 20;

export interface NamedFileLimits {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** Error for a file that exceeds the limit of its reader. */
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
    // The signal may have ended the stream.
    checkSignal();
    throw error;
  }
}

/** Returns all bytes of a file. @throws as `readNamedFile` */
export async function readWholeFile(path: string, limits: NamedFileLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const bytes of readNamedFile(path, limits)) chunks.push(bytes);
  return Buffer.concat(chunks);
}

/** Opens a file. It is closed at the end of the iteration. */
async function openChunks(
  path: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Buffer>> {
  const file = await promisify(open)(path, FLAGS);
  const kind = await promisify(fstat)(file);
  // Pipes and terminals are read by the event loop, since a thread that blocks on them would keep the process from exiting.
  if (kind.isFIFO()) return destroyOnAbort(new Socket({ fd: file, writable: false }), signal);
  if (isatty(file)) return destroyOnAbort(new TerminalStream(file), signal);
  return readSteps(file);
}

function destroyOnAbort(stream: Socket, signal: AbortSignal | undefined): Socket {
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
