/** Listens on the socket of a resident engine. Exactly one process listens on each. */
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { type EnginePlace, getEnginesFolder, isPipe, isPrivateSocket } from './place.ts';

const LOCK_FILE = 'lock';
const LOCK_MS = 2_000;

/**
 * Listens at a place. Replaces a socket that an ended process left behind.
 * @returns null if another process listens there
 * @throws the system's errors; Error if somebody else made a file there
 */
export async function listenAt(
  data: string,
  place: EnginePlace,
  onConnection: (socket: Socket) => void,
): Promise<Server | null> {
  using lock = new FileLock(join(getEnginesFolder(data), LOCK_FILE));
  if (!(await lock.waitAndAcquire({ waitMs: LOCK_MS, work: 'Starting an engine' }))) return null;
  const { address } = place;
  try {
    return await listen(address, onConnection);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (isPipe(address) || (await isAnswering(address))) return null;
    if (!isPrivateSocket(address)) throw error;
    rmSync(address, { force: true });
    return await listen(address, onConnection);
  }
}

async function listen(address: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  server.listen(address);
  await once(server, 'listening');
  if (!isPipe(address)) chmodSync(address, PRIVATE_FILE);
  // A connection that the system could not accept is the peer's to repeat.
  server.on('error', () => {});
  return server;
}

/** Returns false only if no process listens at a socket. */
async function isAnswering(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
