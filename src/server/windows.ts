/** Relays messages between windows on WebSockets and the engine's process, with bounded buffers on both sides. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { Supervisor } from '../backend/supervisor.ts';
import { log } from '../base/log.ts';
import { createCrashNote, type Note } from '../shared/rpc/events.ts';
import { refuseOversized } from '../shared/rpc/messages.ts';
import { type ForkedEngine, forkEngine } from './child.ts';
import { getAllowedRoot, getSessionOptions, type ServerOptions } from './options.ts';

/** Characters in transit to the engine above which a window is paused. */
const INBOUND_HIGH = 16_000_000;
/** Bytes in transit to a window above which progress events are dropped, and above which the window is disconnected. */
const OUTBOUND_HIGH = 1_000_000;
const OUTBOUND_MAX = 128_000_000;
/** Interval of heartbeats, in milliseconds. A window that misses two is disconnected; a page that hears none reconnects. */
const HEARTBEAT_MS = 15_000;

export class WindowRelay {
  readonly #supervisor: Supervisor<ForkedEngine>;
  readonly #windows = new Map<string, Window>();
  readonly #allowedRoot: string;
  readonly #heartbeat: NodeJS.Timeout;

  /** Starts the engine's process. */
  constructor(options: ServerOptions) {
    this.#allowedRoot = getAllowedRoot(options);
    const session = getSessionOptions(options);
    this.#supervisor = new Supervisor(() => forkEngine(session), {
      onStart: (engine) => this.#connectAll(engine),
      onCrash: (reason) => this.#notifyCrash(reason),
    });
    this.#heartbeat = setInterval(() => {
      for (const window of this.#windows.values()) window.sendHeartbeat();
    }, HEARTBEAT_MS);
  }

  /** Process id of the engine, for tests. */
  get enginePid(): number | undefined {
    return this.#supervisor.process?.pid;
  }

  add(socket: WebSocket): void {
    const client = randomUUID();
    const window = new Window(socket, (text, sent) => {
      const { process } = this.#supervisor;
      // Without an engine the text is lost. The window sends its request again when it is welcomed by the next engine.
      if (process) process.send({ type: 'message', client, text }, sent);
      else sent();
    });
    this.#windows.set(client, window);
    socket.once('close', () => {
      this.#windows.delete(client);
      this.#supervisor.process?.send({ type: 'disconnect', client });
    });
    this.#connect(client);
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    for (const window of this.#windows.values()) window.close();
    await this.#supervisor.close();
  }

  #connectAll(engine: ForkedEngine): void {
    engine.onMessage(({ client, text }) => this.#windows.get(client)?.send(text));
    for (const client of this.#windows.keys()) this.#connect(client, engine);
  }

  #connect(client: string, engine = this.#supervisor.process): void {
    engine?.send({ type: 'connect', client, allowedRoot: this.#allowedRoot });
  }

  #notifyCrash(reason: string): void {
    log('process-ended', { process: 'engine', reason });
    const at = new Date().toISOString();
    const data: Note = { repository: null, at, ...createCrashNote(reason) };
    for (const window of this.#windows.values()) {
      window.send(JSON.stringify({ event: 'note', data }));
    }
  }
}

class Window {
  readonly #socket: WebSocket;
  #inbound = 0;
  #latestProgress: string | null = null;
  #isAlive = true;

  constructor(socket: WebSocket, relay: (text: string, sent: () => void) => void) {
    this.#socket = socket;
    socket.on('error', () => {}); // 'close' follows.
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) return this.send(BINARY_REFUSED);
      const text = String(data);
      const refusal = refuseOversized(text);
      if (refusal !== null) return this.send(refusal);
      this.#inbound += text.length;
      if (this.#inbound > INBOUND_HIGH) socket.pause();
      relay(text, () => {
        this.#inbound -= text.length;
        if (this.#inbound <= INBOUND_HIGH && socket.isPaused) socket.resume();
      });
    });
  }

  send(text: string): void {
    const { bufferedAmount } = this.#socket;
    if (bufferedAmount > OUTBOUND_MAX) {
      this.#socket.terminate();
      return;
    }
    if (bufferedAmount > OUTBOUND_HIGH && text.startsWith('{"event":"indexing"')) {
      this.#latestProgress = text;
      return;
    }
    this.#socket.send(text, () => this.#sendProgress());
  }

  /** Disconnects a dead window; otherwise sends a ping, and an empty text that tells the page that the server is alive. */
  sendHeartbeat(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
    this.#socket.send('');
  }

  close(): void {
    this.#socket.close(1001);
  }

  #sendProgress(): void {
    const progress = this.#latestProgress;
    if (progress === null || this.#socket.bufferedAmount > OUTBOUND_HIGH) return;
    this.#latestProgress = null;
    this.#socket.send(progress);
  }
}

const BINARY_REFUSED = JSON.stringify({
  id: null,
  error: {
    code: 'bad-input',
    message: 'Binary messages are not supported.',
    remedy: 'Send JSON as text.',
  },
});
