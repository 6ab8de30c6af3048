/** Ends the process when its output cannot be written. */
import { writeSync } from 'node:fs';
import { escapeHidden } from '../shared/quote.ts';
import { EXIT } from './exit-codes.ts';

/**
 * Exits when standard output cannot be written. If its reader closed the pipe (`| head`), exits with 0 and no message.
 * Otherwise, as on a full disk, prints an error and exits with `EXIT.output`. A closed pipe on standard error is ignored.
 */
export function exitOnOutputErrors({ stdout, stderr }: NodeJS.Process): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    exitUnwritable('Standard output', error);
  });
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') exitUnwritable('Standard error', error);
  });
}

function exitUnwritable(name: string, { message }: Error): never {
  try {
    // Synchronous, because the process exits before a stream would have written it.
    writeSync(
      2,
      `locus: ${name} cannot be written: ${escapeHidden(message)}.\n  → Free some space, or write to another location.\n`,
    );
  } catch {
    // Only the exit code reports it.
  }
  process.exit(EXIT.output);
}
