import { writeSync } from 'node:fs';
import { visibleLines } from '../shared/visible.ts';
import { EXIT } from './exit-codes.ts';

/**
 * Ends the process when nobody hears what it says: quietly when the reader has seen enough (`| head`), otherwise, as
 * on a full disk, with a word on standard error, as far as that can be written, and the exit code that says so.
 */
export function leaveWhenUnheard(stream: NodeJS.WriteStream, name: string): void {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(EXIT.ok);
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
  });
}
