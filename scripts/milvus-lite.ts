/** Runs a Milvus Lite server on loopback, for tests and measurements. `npm run test:fleet` installs it. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverProgram } from './fleet.ts';
import { freePort, killServer } from './server-process.ts';

export interface MilvusLite {
  /** `http://127.0.0.1:port` */
  address: string;
  /** Id of the server's process. */
  pid: number;
  stop(): Promise<void>;
}

/** Bytes of rows kept in memory. Milvus Lite indexes these again for every search, so they are few. */
const NEW_ROWS = 32 * 2 ** 20;

/** Starts a server that stores its rows in a folder. @throws Error with its output if it exits */
export async function startMilvusLite(folder: string): Promise<MilvusLite> {
  const port = await freePort();
  // By default it listens on all interfaces.
  const where = ['--data-dir', folder, '--host', '127.0.0.1', '--port', String(port)];
  const server = spawn(serverProgram('milvus-lite'), ['server', ...where], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES: String(NEW_ROWS) },
  });
  let said = '';
  server.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-2_000);
  });
  while (!(await canConnect(port))) {
    if (server.exitCode !== null) throw new Error(`milvus-lite ended: ${said}`);
    await sleep(100);
  }
  return {
    address: `http://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    stop: () => killServer(server),
  };
}

function canConnect(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
