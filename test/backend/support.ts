import { startSession } from '../../src/backend/engine-host.ts';
import type { EngineSession, SessionOptions } from '../../src/backend/session.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { Channel } from '../../src/shared/rpc/messages.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

/** Creates two ends of a channel in one process. Texts arrive asynchronously, as over a network. */
export function channelPair(): [Channel, Channel] {
  const ends = [new End(), new End()] as const;
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return [ends[0], ends[1]];
}

class End implements Channel {
  other!: End;
  #open = true;
  #listener: (text: string) => void = () => {};
  readonly #closeListeners: (() => void)[] = [];

  post(text: string): void {
    if (this.#open) setImmediate(() => this.other.#open && this.other.#listener(text));
  }
  onMessage(listener: (text: string) => void): void {
    this.#listener = listener;
  }
  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const listener of this.#closeListeners) listener();
    this.other.close();
  }
}

export type Client = RpcClient<EngineMethods, Events>;

/** A window: a client connected to a session. */
export function connect(session: EngineSession, allowedRoot: string | null = null): Client {
  const client: Client = new RpcClient();
  const [here, there] = channelPair();
  client.attach(here);
  session.connect(there, { allowedRoot });
  return client;
}

/** Resolves with the event's data once `matches` holds for it. */
export function waitFor<Name extends keyof Events>(
  client: Client,
  event: Name,
  matches: (data: Events[Name]) => boolean = () => true,
): Promise<Events[Name]> {
  return new Promise((resolve) => {
    const stop = client.on(event, (data) => {
      if (!matches(data)) return;
      stop();
      resolve(data);
    });
  });
}

export const indexed = (client: Client) =>
  waitFor(client, 'indexing', ({ state }) => state.phase === 'current');

export const SHOP = {
  'shop/cookies.py': `"""Reading cookies."""


def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return dict(part.split("=", 1) for part in header.split(";"))


def quote_value(value):
    """Put a cookie value between quotes."""
    return '"' + value + '"'
`,
  'shop/cart.py': `from shop.cookies import parse_cookie


class Cart:
    def total(self):
        """The sum of all prices, with tax."""
        return sum(item.price for item in self.items)

    def from_header(self, header):
        return parse_cookie(header)
`,
};

/** A session on a data directory of its own and a small repository; `done` removes both. */
export function workplace(files: Record<string, string> = SHOP, options: SessionOptions = {}) {
  const root = gitRepository(files);
  const dataDir = temporaryFolder();
  const session = startSession({ dataDir, ...options });
  return {
    root,
    dataDir,
    session,
    async done() {
      await session.close();
      removeFolder(root);
      removeFolder(dataDir);
    },
  };
}
