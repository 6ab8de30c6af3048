/** Windows on WebSockets, relayed to the engine's process and back; none can flood the other side's memory. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { SessionOptions } from '../backend/session.ts';
import { Supervisor } from '../backend/supervisor.ts';
import { log } from '../base/log.ts';
import { crashNote, type Note } from '../shared/rpc/events.ts';
import { refuseOversized } from '../shared/rpc/messages.ts';
import { type ForkedEngine, forkEngine } from './child.ts';

/** Characters on their way to the engine at which a window has to wait. */
const INBOUND_HIGH = 16_000_000;
/** Bytes on their way to a window from which on progress is thinned out, and at which it is given up. */
const OUTBOUND_HIGH = 1_000_000;
const OUTBOUND_MOST = 128_000_000;
/** A window that says nothing for two beats is gone; one that hears nothing for some reconnects. */
const BEAT_MS = 15_000;

export class Windows {
  readonly #supervisor: Supervisor<ForkedEngine>;
  readonly #windows = new Map<string, Window>();
  readonly #allowedRoot: string | null;
  readonly #heart: NodeJS.Timeout;

  constructor(options: SessionOptions, allowedRoot: string | null) {
    this.#allowedRoot = allowedRoot;
    this.#supervisor = new Supervisor(() => forkEngine(options), {
      onStart: (engine) => this.#connectAll(engine),
      onCrash: (reason) => this.#tellOfCrash(reason),
    });
    this.#heart = setInterval(() => {
      for (const window of this.#windows.values()) window.beat();
    }, BEAT_MS);
  }

  /** The engine's process id; for tests. */
  get enginePid(): number | undefined {
    return this.#supervisor.process?.pid;
  }

  add(socket: WebSocket): void {
    const client = randomUUID();
    const window = new Window(socket, (text, sent) => {
      const { process } = this.#supervisor;
      // Without an engine the text is lost; the window asks again when the next engine says welcome.
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
    clearInterval(this.#heart);
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

  #tellOfCrash(reason: string): void {
    log('process-ended', { process: 'engine', reason });
    const at = new Date().toISOString();
    const data: Note = { repository: null, at, ...crashNote(reason) };
    for (const window of this.#windows.values()) {
      window.send(JSON.stringify({ event: 'note', data }));
    }
  }
}

class Window {
  readonly #socket: WebSocket;
  #inbound = 0;
  #held: string | null = null;
  #alive = true;

  constructor(socket: WebSocket, relay: (text: string, sent: () => void) => void) {
    this.#socket = socket;
    socket.on('error', () => {}); // 'close' follows.
    socket.on('pong', () => {
      this.#alive = true;
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
    if (bufferedAmount > OUTBOUND_MOST) {
      this.#socket.terminate();
      return;
    }
    if (bufferedAmount > OUTBOUND_HIGH && text.startsWith('{"event":"indexing"')) {
      this.#held = text;
      return;
    }
    this.#socket.send(text, () => this.#sendHeld());
  }

  /** An empty text keeps the way open and tells the window that somebody is there. */
  beat(): void {
    if (!this.#alive) {
      this.#socket.terminate();
      return;
    }
    this.#alive = false;
    this.#socket.ping();
    this.#socket.send('');
  }

  close(): void {
    this.#socket.close(1001);
  }

  #sendHeld(): void {
    const held = this.#held;
    if (held === null || this.#socket.bufferedAmount > OUTBOUND_HIGH) return;
    this.#held = null;
    this.#socket.send(held);
  }
}

const BINARY_REFUSED = JSON.stringify({
  id: null,
  error: { code: 'bad-input', message: 'messages are texts', remedy: 'send JSON as text' },
});
