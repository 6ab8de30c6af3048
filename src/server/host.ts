/** Server process. Its parent sends the options, and the message to stop. */
import '../base/no-telemetry.ts';
import { identifyProcess, logFailure } from '../base/log.ts';
import { LocusError, toFailure } from '../shared/errors.ts';
import type { ServerOptions } from './options.ts';
import type { RunningServer } from './server.ts';
import type { FromServer, ToServer } from './supervised-server.ts';
import { WindowRelay } from './windows.ts';

identifyProcess('server');

let starting: Promise<RunningServer> | null = null;

const send = (message: FromServer) => {
  if (process.connected) process.send?.(message);
};

/** Starts the engine's process, and the server while that one loads its modules. */
async function start(options: ServerOptions): Promise<RunningServer> {
  const windows = new WindowRelay(options);
  return (await import('./server.ts')).startServer(options, windows);
}

async function stop(): Promise<void> {
  // If a client blocks the shutdown, the closed channel still ends the process.
  process.on('disconnect', () => process.exit(0));
  await (await starting?.catch(() => null))?.close();
  process.exit(0);
}

process.on('message', async (message: ToServer) => {
  if (message.type === 'stop') return stop();
  try {
    starting = start(message.options);
    const { url, mcp, port } = await starting;
    send({ type: 'listening', address: { url, mcp, port } });
  } catch (error) {
    logFailure(error);
    if (!(error instanceof LocusError)) throw error;
    send({ type: 'failed', failure: toFailure(error) });
  }
});
process.once('disconnect', stop);
// Signals reach the whole process group, but the parent decides when to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
