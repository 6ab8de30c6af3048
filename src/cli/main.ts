/** Connects `runCli` to this process. */
import '../shared/plain-schemas.ts';
import { writeSync } from 'node:fs';
import { identifyProcess } from '../base/log.ts';
import { visible } from '../shared/quoted.ts';
import { calledAs, enterCallersFolder } from './called-as.ts';
import { commandIn } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { runCli } from './program.ts';
import type { Host } from './session.ts';
import { startWithSmallHeaps } from './small-heaps.ts';

startWithSmallHeaps(process);
identifyProcess(commandIn(process.argv.slice(2)) === 'mcp' ? 'mcp' : 'cli');

leaveWhenUnheard(process);

const program = calledAs(process);
enterCallersFolder('locus');

// The first interrupt lets work end at a sound point, the second leaves at once.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort();
  });
}

const host: Host = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  program,
  env: process.env,
  signal: interruption.signal,
  stuck: whenStuck(process),
  // Loaded when first needed, so that --help does not wait for the engine.
  openRepository: async (root, options) =>
    (await import('../services/open-repository.ts')).openRepository(root, options),
  diagnose: async (options) => (await import('../services/doctor.ts')).diagnose(options),
};

process.exitCode = await runCli(process.argv.slice(2), host);

/**
 * Rejects when the event loop has nothing left to do. Who still waits then, waits for something that never comes; Node would
 * end with a code of its own and print nothing of the command.
 */
function whenStuck(process: NodeJS.Process): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // A command that has ended leaves the loop empty too, and nobody to hear of it.
  promise.catch(() => {});
  process.once('beforeExit', () => reject(new Error('the command waits for what never comes')));
  return promise;
}

/**
 * Ends the process when nobody hears its results: quietly when their reader has seen enough (`| head`), otherwise, as on a
 * full disk, with a word on standard error, as far as that can be written, and the exit code that says so. Who stops reading
 * notes misses those alone.
 */
function leaveWhenUnheard({ stdout, stderr }: NodeJS.Process): void {
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
      `locus: ${name} cannot be written: ${visible(message)}\n  → free some space, or write elsewhere\n`,
    );
  } catch {
    // Then the exit code alone says it.
  }
  process.exit(EXIT.output);
}
