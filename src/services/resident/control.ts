import { connectEngine } from './connect.ts';
import { DAEMON, type EngineDescription } from './protocol.ts';

/** Asks the daemon of a data directory to end. Returns false if none is running. */
export async function stopDaemon(data: string): Promise<boolean> {
  const connection = await connectEngine(data, DAEMON);
  if (!connection) return false;
  try {
    return await connection.client.call('stop', null);
  } finally {
    connection.close();
  }
}

/** Describes the daemon of a data directory; null if none is running. */
export async function describeDaemon(data: string): Promise<EngineDescription | null> {
  const connection = await connectEngine(data, DAEMON);
  try {
    return (await connection?.client.call('describe', null)) ?? null;
  } catch {
    // It ended, or does not answer.
    return null;
  } finally {
    connection?.close();
  }
}
