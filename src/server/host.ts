/** The process of the browser host. The one that started it says what to serve, and when to stop. */
import '../base/no-telemetry.ts';
import { identifyProcess, logFailure } from '../base/log.ts';
import { LocusError, toWire } from '../shared/errors.ts';
import { type RunningServer, startServer } from './server.ts';
import type { FromHost, ToHost } from './supervised.ts';

identifyProcess('server');

let starting: Promise<RunningServer> | null = null;

const tell = (message: FromHost) => {
  if (process.connected) process.send?.(message);
};

async function stop(): Promise<void> {
  // A second one leaves at once, as when a client keeps the first from ending.
  process.on('disconnect', () => process.exit(0));
  await (await starting?.catch(() => null))?.close();
  process.exit(0);
}

process.on('message', async (message: ToHost) => {
  if (message.type === 'stop') return stop();
  try {
    starting = startServer(message.options);
    const { url, mcp, port } = await starting;
    tell({ type: 'listening', address: { url, mcp, port } });
  } catch (error) {
    logFailure(error);
    if (!(error instanceof LocusError)) throw error;
    tell({ type: 'failed', failure: toWire(error) });
  }
});
process.once('disconnect', stop);
// They reach the whole process group. The process that started this one says when to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
