import { writeSync } from 'node:fs';
import { visibleLines } from '../shared/visible.ts';
import { EXIT } from './exit-codes.ts';

/**
 * Ends the process when nobody hears its results: quietly when their reader has seen enough (`| head`), otherwise, as on a
 * full disk, with a word on standard error, as far as that can be written, and the exit code that says so. Who stops reading
 * notes misses those alone.
 */
export function leaveWhenUnheard({ stdout, stderr }: NodeJS.Process): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    leave('the standard output', error);
  });
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') leave('the standard error', error);
  });
}

function leave(name: string, { message }: Error): never {
  try {
    // At once: the process ends before another stream would have written it.
    writeSync(
      2,
      `locus: ${name} cannot be written: ${visibleLines(message)}\n  → free some space, or write elsewhere\n`,
    );
  } catch {
    // Then the exit code alone says it.
  }
  process.exit(EXIT.output);
}
