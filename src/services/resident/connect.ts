/** Connects to a resident engine. */
import { connect, type Socket } from 'node:net';
import { FrameSocket, linkSocket } from '../../base/frame-socket.ts';
import { WorkerClient } from '../../base/worker-client.ts';
import { greetEngine, MAX_GREETING_BYTES } from './handshake.ts';
import { type EnginePlace, findPlace } from './place.ts';
import { MAX_ANSWER_BYTES, type ResidentMethods, SILENCE_MS } from './protocol.ts';

/** Connection to an engine. */
export interface EngineConnection {
  client: WorkerClient<ResidentMethods>;
  close(): void;
}

/** Milliseconds to wait for an engine's greeting. A busy one answers when it can; then the command is faster alone. */
const PATIENCE_MS = 1_000;

/**
 * Connects to an engine of a data directory.
 * @param name what it serves, see `protocol.ts`
 * @returns null if it does not run, cannot prove itself, or does not answer
 */
export async function connectEngine(
  data: string,
  name: string,
  patienceMs = PATIENCE_MS,
): Promise<EngineConnection | null> {
  try {
    const place = findPlace(data, name);
    return place && (await connectPlace(place, patienceMs));
  } catch {
    // Whatever the reason is, the command does without the engine.
    return null;
  }
}

async function connectPlace(place: EnginePlace, patienceMs: number): Promise<EngineConnection> {
  const socket = connect(place.address);
  const late = setTimeout(() => socket.destroy(new Error('The engine is silent.')), patienceMs);
  try {
    const frames = new FrameSocket(socket, MAX_GREETING_BYTES);
    await Promise.race([greetEngine(frames, place), rejectOnFailure(socket)]);
    frames.maxBytes = MAX_ANSWER_BYTES;
    const client = new WorkerClient<ResidentMethods>(linkSocket(frames, SILENCE_MS), {
      explainEnd: (reason) => reason,
    });
    return { client, close: () => void socket.destroy() };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Rejects when a connection fails. Its errors have a listener from then on. */
function rejectOnFailure(socket: Socket): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // The caller awaits it only until the greeting.
  promise.catch(() => {});
  socket.on('error', reject);
  return promise;
}
