/** Recognizes failed memory allocations of JavaScript, WebAssembly, ONNX Runtime, threads and the system. */
import { LocusError } from '../shared/errors.ts';

/** Error messages of V8, Node, WebAssembly, ONNX Runtime and libuv. */
const MESSAGES =
  /out of memory|not enough memory|(could not|cannot|failed to) allocate|allocation failed|maximum memory size exceeded|unable to grow instance memory|bad_alloc/i;
const CODES = new Set(['ENOMEM', 'ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED']);

export function isOutOfMemory(error: unknown): boolean {
  if (error instanceof LocusError) return false;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (typeof code === 'string' && CODES.has(code)) || MESSAGES.test(String(message ?? error));
}

/** Returns the error for insufficient memory. @param work purpose of the memory, such as "to load the model" */
export function createMemoryError(work: string, cause?: unknown): LocusError {
  return new LocusError(
    'device',
    `There is not enough memory ${work}.`,
    'Close other programs, or raise the limit on memory (ulimit -v), and try again.',
    { cause },
  );
}

/** Converts an error about insufficient memory to a `LocusError`. Returns other errors unchanged. */
export function explainMemoryError(error: unknown, work: string): unknown {
  return isOutOfMemory(error) ? createMemoryError(work, error) : error;
}
