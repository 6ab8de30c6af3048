/**
 * The engine's process. A Node host forks it and relays its windows' texts over the IPC channel; Electron starts it
 * as a utility process and hands over one MessagePort per window. `SessionOptions` come as JSON in the first argument.
 */
import '../engine/encode/no-telemetry.ts';
import type { Channel } from '../shared/rpc.ts';
import { dataDirectory } from '../services/locations.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { refuse } from './refusal.ts';
import { EngineSession, type SessionOptions } from './session.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as SessionOptions;
let session: EngineSession | null = null;
let stopping = false;

// Electron's utility processes have a parentPort instead of Node's IPC channel.
const { parentPort } = process as unknown as { parentPort?: ParentPort };
if (parentPort) serveElectron(parentPort);
else serveNode();

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await session?.close();
  process.exit(0);
}

/** What keeps a session from beginning may be gone when a window is loaded again. */
function connect(channel: Channel, allowedRoot: string | null): void {
  try {
    session ??= new EngineSession(options);
    session.connect(channel, { allowedRoot });
  } catch (error) {
    console.error('locus: the engine cannot start:', error);
    refuse(channel, error, dataDirectory(options.dataDir));
  }
}

function serveNode(): void {
  const clients = new Map<string, RelayedChannel>();
  process.on('message', (message: ToEngine) => {
    if (message.type === 'stop') stop();
    else if (message.type === 'connect') {
      clients.get(message.client)?.close();
      const channel = new RelayedChannel((text) => {
        if (process.connected) process.send!({ client: message.client, text } satisfies FromEngine);
      });
      clients.set(message.client, channel);
      connect(channel, message.allowedRoot);
    } else if (message.type === 'message') clients.get(message.client)?.receive(message.text);
    else {
      clients.get(message.client)?.close();
      clients.delete(message.client);
    }
  });
  // Without its host the engine has no reason to be.
  process.on('disconnect', stop);
  // Interrupts from a terminal reach the whole process group; the host says when to stop.
  process.on('SIGINT', () => {});
}

function serveElectron(port: ParentPort): void {
  port.on('message', ({ data, ports }) => {
    if (data.type === 'stop') stop();
    else if (data.type === 'connect' && ports[0]) {
      connect(portChannel(ports[0]), data.allowedRoot);
    }
  });
}

/** A window's texts among those of others, on the one channel to the host. */
class RelayedChannel implements Channel {
  readonly post: (text: string) => void;
  readonly #closeListeners: (() => void)[] = [];
  #listener: (text: string) => void = () => {};

  constructor(post: (text: string) => void) {
    this.post = post;
  }

  receive(text: string): void {
    this.#listener(text);
  }

  onMessage(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    for (const listener of this.#closeListeners.splice(0)) listener();
  }
}

function portChannel(port: ElectronPort): Channel {
  return {
    post: (text) => port.postMessage(text),
    onMessage: (listener) => {
      port.on('message', ({ data }) => {
        if (typeof data === 'string') listener(data);
      });
      port.start();
    },
    onClose: (listener) => port.on('close', listener),
    close: () => port.close(),
  };
}

/** Electron's MessagePortMain and parentPort, as far as they are used here. */
interface ElectronPort {
  postMessage(data: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}
interface ParentPort {
  on(event: 'message', listener: (event: { data: ToEngine; ports: ElectronPort[] }) => void): void;
}
