import { basename } from 'node:path/posix';
import type { TracebackFrame } from '../language.ts';

/** Writes a stack trace in the form of the Java virtual machine. `moduleOf` returns a file's class with its package, with slashes. */
export function writeJvmTraceback(
  frames: readonly TracebackFrame[],
  error: string | null,
  moduleOf: (path: string) => string,
): string {
  const lines = frames.toReversed().map(({ path, line, name }) => {
    const scope = moduleOf(path).replaceAll('/', '.');
    return `\tat ${scope}.${name}(${basename(path)}:${line})`;
  });
  return [`Exception in thread "main" ${error ?? 'java.lang.Exception'}`, ...lines].join('\n');
}
