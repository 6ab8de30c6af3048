/** Failures to allocate memory, whoever reports them: JavaScript, WebAssembly, ONNX Runtime, threads, the system. */
import { LocusError } from '../shared/errors.ts';

/** Messages and codes of V8, Node, WebAssembly, ONNX Runtime and libuv. */
const MESSAGES =
  /out of memory|not enough memory|(could not|cannot|failed to) allocate|allocation failed|maximum memory size exceeded|unable to grow instance memory|bad_alloc/i;
const CODES = new Set(['ENOMEM', 'ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED']);

export function isOutOfMemory(error: unknown): boolean {
  if (error instanceof LocusError) return false;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (typeof code === 'string' && CODES.has(code)) || MESSAGES.test(String(message ?? error));
}

/** Returns the error of work that lacked memory. @param work what was going on, as "to load the model" */
export function outOfMemory(work: string, cause?: unknown): LocusError {
  return new LocusError(
    'device',
    `There is not enough memory ${work}.`,
    'Close other programs, or raise the limit on memory (ulimit -v), and try again.',
    { cause },
  );
}

/** Returns an error that a person can act on for one that says that there is not enough memory; any other as it is. */
export function explainMemory(error: unknown, work: string): unknown {
  return isOutOfMemory(error) ? outOfMemory(work, error) : error;
}
