/** Connects `runCli` to this process. */
import { identifyProcess, type LogHost } from '../base/log.ts';
import { getDataDirectory } from '../services/locations.ts';
import { findCommand } from './commands.ts';
import { CommandRepositories, publishOpened } from './engine.ts';
import { EXIT } from './exit-codes.ts';
import { enterCallersFolder, getInvocation } from './invocation.ts';
import { runCli } from './program.ts';
import type { CliHost } from './session.ts';

const hosts: Record<string, LogHost> = { mcp: 'mcp', daemon: 'engine' };
identifyProcess(hosts[findCommand(process.argv.slice(2)) ?? ''] ?? 'cli');

const program = getInvocation(process);
enterCallersFolder('locus');

// The first interrupt cancels the command cleanly; the second exits at once.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort();
  });
}

const opener = new CommandRepositories(process);
const host: CliHost = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  program,
  env: process.env,
  signal: interruption.signal,
  deadlock: whenStuck(process),
  openRepository: opener.open,
  startDaemon: opener.startDaemon,
  publish: publishOpened,
  // Imported when needed, so that --help does not wait for the engine.
  describeDaemon: async (dataDir) =>
    (await import('../services/resident/control.ts')).describeDaemon(getDataDirectory(dataDir)),
  diagnose: async (options) => (await import('../services/doctor.ts')).diagnose(options),
};

process.exitCode = await runCli(process.argv.slice(2), host);

/**
 * Returns a promise that rejects when the event loop is empty. A command that is still waiting then would wait forever;
 * without this, Node would exit with a code of its own and without a message.
 */
function whenStuck(process: NodeJS.Process): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // The loop is also empty after a command has ended; that rejection is not an error.
  promise.catch(() => {});
  process.once('beforeExit', () =>
    reject(new Error('The command is waiting for an event that cannot occur.')),
  );
  return promise;
}
