/** Answers the commands of this user on a socket, within limits that hold for every connection. */
import type { Server, Socket } from 'node:net';
import { FrameSocket } from '../../base/frame-socket.ts';
import {
  serveWorker,
  type ToWorker,
  type WorkerMethods,
  type WorkerPort,
} from '../../base/worker-server.ts';
import { greetCommand, MAX_GREETING_BYTES } from './handshake.ts';
import { listenAt } from './listener.ts';
import { type EnginePlace, preparePlace } from './place.ts';
import { BEAT_MS, MAX_REQUEST_BYTES, MAX_RUNNING, type ResidentMethods } from './protocol.ts';

/** Connections at a time. A command has one. */
const MAX_CONNECTIONS = 64;
/** Milliseconds for a greeting, and without a request until a connection is closed. */
const GREETING_MS = 5_000;
const IDLE_MS = 60_000;
/** Requests of a connection whose answers were not taken yet, cancelled ones included, and requests in total. */
const MAX_UNANSWERED = 64;
const MAX_REQUESTS = 100_000;
/** Milliseconds in which a reader must take what was sent. */
const UNREAD_MS = 30_000;

export class EngineEndpoint {
  readonly #place: EnginePlace;
  readonly #methods: ResidentMethods;
  readonly #greetingMs: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  private constructor(place: EnginePlace, methods: ResidentMethods, greetingMs: number) {
    this.#place = place;
    this.#methods = methods;
    this.#greetingMs = greetingMs;
  }

  /**
   * Starts to answer.
   * @param name see `protocol.ts`
   * @returns null if another process answers there already
   * @throws the system's errors; Error if another user can reach the place
   */
  static async open(
    data: string,
    name: string,
    methods: ResidentMethods,
    greetingMs = GREETING_MS,
  ): Promise<EngineEndpoint | null> {
    const place = preparePlace(data, name);
    const endpoint = new EngineEndpoint(place, methods, greetingMs);
    endpoint.#server = await listenAt(data, place, (socket) => endpoint.#accept(socket));
    return endpoint.#server && endpoint;
  }

  get address(): string {
    return this.#place.address;
  }

  /** Ends all connections. Commands that wait for an answer then do without. */
  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets another process listen. Connections that exist are answered until `close`. */
  stopListening(): void {
    this.#server?.close();
  }

  /** Lets the process end although it listens. */
  unref(): void {
    this.#server?.unref();
  }

  #accept(socket: Socket): void {
    // The peer may end at any time. What it asked is cancelled then.
    socket.on('error', () => {});
    if (this.#sockets.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const frames = new FrameSocket(socket, MAX_GREETING_BYTES);
    greetCommand(frames, this.#place, this.#greetingMs).then(
      () => serve(frames, this.#methods),
      () => socket.destroy(),
    );
  }
}

/** Answers a command that has proved itself. */
function serve(frames: FrameSocket, methods: ResidentMethods): void {
  const { socket } = frames;
  frames.maxBytes = MAX_REQUEST_BYTES;
  let requests = 0;
  let unanswered = 0;
  /** Requests that are neither cancelled nor answered. */
  const running = new Set<number>();
  let requestedMs = performance.now();
  let emptyMs = requestedMs;
  const beat = setInterval(() => {
    const now = performance.now();
    if (socket.writableLength === 0) emptyMs = now;
    if (now - emptyMs > UNREAD_MS) frames.destroy('it reads nothing');
    else if (unanswered === 0 && now - requestedMs > IDLE_MS) frames.destroy('it asks nothing');
    else if (!socket.writableNeedDrain) frames.send({ notice: null });
  }, BEAT_MS);
  beat.unref();
  socket.once('close', () => clearInterval(beat));
  const port: WorkerPort = {
    post: (message) => {
      const isAnswer = !('part' in message);
      // Progress may be lost, an answer may not.
      if (isAnswer || !socket.writableNeedDrain)
        frames.send(message, () => {
          if (!isAnswer) return;
          unanswered--;
          if ('id' in message) running.delete(message.id);
        });
    },
    onMessage: (listener) => {
      socket.once('close', () => listener({ close: true }));
      frames.onMessage((message) => {
        if (!isRequest(message, methods)) return frames.destroy('a request is invalid');
        requestedMs = performance.now();
        if ('id' in message) {
          running.add(message.id);
          unanswered++;
          requests++;
        } else if ('cancel' in message) running.delete(message.cancel);
        const isTooMuch =
          running.size > MAX_RUNNING || unanswered > MAX_UNANSWERED || requests > MAX_REQUESTS;
        if (isTooMuch) return frames.destroy('there are too many requests');
        listener(message);
      });
    },
    close: () => void socket.destroy(),
  };
  serveWorker(port, methods as unknown as WorkerMethods);
}

function isRequest(message: unknown, methods: object): message is ToWorker {
  if (message === null || typeof message !== 'object') return false;
  if ('cancel' in message) return Number.isSafeInteger(message.cancel);
  const { id, method } = message as Record<string, unknown>;
  return Number.isSafeInteger(id) && typeof method === 'string' && Object.hasOwn(methods, method);
}
