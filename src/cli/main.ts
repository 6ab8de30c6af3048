/** Connects `runCli` to this process. */
import '../shared/plain-schemas.ts';
import { calledAs, enterCallersFolder } from './called-as.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';
import { leaveWhenUnheard } from './output.ts';
import { runCli } from './program.ts';
import { startWithSmallHeaps } from './small-heaps.ts';
import { whenStuck } from './stuck.ts';

startWithSmallHeaps(process);

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
