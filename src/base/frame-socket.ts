/** JSON messages over a local socket, each after its length in four bytes, and the two ends of a worker over it. */
import type { Socket } from 'node:net';
import { WorkerExit, type WorkerLink } from './worker-client.ts';
import type { FromWorker } from './worker-server.ts';

const HEADER_BYTES = 4;

/** Reads and writes messages. A message that is too large or no JSON ends the connection. */
export class FrameSocket {
  readonly socket: Socket;
  /** Maximum size of a message that is read, in bytes. */
  maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #listener: ((message: unknown) => void) | null = null;

  constructor(socket: Socket, maxBytes: number) {
    this.socket = socket;
    this.maxBytes = maxBytes;
    // Bytes that nobody waits for stay in the system's buffer.
    socket.pause();
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      this.#deliver();
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
    this.#deliver();
    this.socket.resume();
  }

  /** Resolves with the next message. Those after it wait for the next listener. Rejects if the connection ends first. */
  next(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = () => reject(new Error('The connection ended.'));
    if (this.socket.destroyed) end();
    this.socket.once('close', end);
    this.onMessage((message) => {
      this.socket.off('close', end);
      this.socket.pause();
      this.#listener = null;
      resolve(message);
    });
    return promise;
  }

  /** @param onSent called when the system has taken all of it, or the connection has ended */
  send(message: unknown, onSent?: () => void): void {
    if (this.socket.destroyed || this.socket.writableEnded) return;
    const text = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(text.length);
    this.socket.cork();
    this.socket.write(header);
    this.socket.write(text, onSent);
    this.socket.uncork();
  }

  /** Ends the connection, which rejects what waits for it. */
  destroy(reason: string): void {
    this.socket.destroy(new Error(reason));
  }

  #deliver(): void {
    while (this.#listener && !this.socket.destroyed && this.#size >= HEADER_BYTES) {
      const start = this.#join(HEADER_BYTES);
      const length = start.readUInt32BE();
      if (length > this.maxBytes) this.destroy('a message is too large');
      const end = HEADER_BYTES + length;
      if (length > this.maxBytes || this.#size < end) return;
      const all = this.#join(end);
      this.#chunks = [all.subarray(end), ...this.#chunks.slice(1)];
      this.#size -= end;
      this.#receive(all.subarray(HEADER_BYTES, end));
    }
  }

  /** Joins chunks until the first has a number of bytes, and returns it. */
  #join(bytes: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    if (first.length >= bytes) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #receive(text: Buffer): void {
    try {
      this.#listener?.(JSON.parse(text.toString()));
    } catch {
      // The peer sent no message of this protocol.
      this.destroy('a message is invalid');
    }
  }
}

/**
 * Returns the client's end of a connection.
 * @param silenceMs milliseconds without any message after which the worker counts as ended
 */
export function linkSocket(frames: FrameSocket, silenceMs: number): WorkerLink {
  const { socket } = frames;
  socket.setTimeout(silenceMs, () => frames.destroy('it does not answer'));
  return {
    post: (message) => frames.send(message),
    onMessage: (listener) => frames.onMessage((message) => listener(message as FromWorker)),
    onEnd: (listener) => {
      socket.on('error', listener);
      socket.on('close', () => listener(new WorkerExit('its connection was closed')));
    },
    keepProcessAlive: (isHeld) => void (isHeld ? socket.ref() : socket.unref()),
    kill: async () => void socket.destroy(),
  };
}
