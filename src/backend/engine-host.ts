/** What both entries of the engine's process do: one session for all windows, begun with the first of them. */

import { randomUUID } from 'node:crypto';
import { identifyProcess, logFailure } from '../base/log.ts';
import { dataDirectory } from '../services/locations.ts';
import { toWire } from '../shared/errors.ts';
import type { Welcome } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { type Handlers, serve } from '../shared/rpc/server.ts';
import { VERSION } from '../shared/version.ts';
import { handlersFor } from './handlers.ts';
import { EngineSession, type SessionOptions } from './session.ts';

/** `SessionOptions` come as JSON in the process's first argument. */
export class EngineHost {
  readonly #options = JSON.parse(process.argv[2] ?? '{}') as SessionOptions;
  #session: EngineSession | null = null;
  #stopping = false;

  constructor() {
    identifyProcess('engine');
  }

  /** What keeps a session from beginning may be gone when a window is loaded again. */
  connect(channel: Channel, allowedRoot: string | null): void {
    try {
      this.#session ??= startSession(this.#options);
      this.#session.connect(channel, { allowedRoot });
    } catch (error) {
      logFailure(error);
      console.error('locus: the engine cannot start:', error);
      refuse(channel, error, dataDirectory(this.#options.dataDir));
    }
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#session?.close();
    process.exit(0);
  }
}

/**
 * Tells a window why the engine cannot serve it, and answers everything it asks with that. Ending the process instead
 * would have it started again, to end again.
 */
function refuse(channel: Channel, error: unknown, dataDirectory: string): void {
  const fail = () => {
    throw error;
  };
  const handlers: unknown = Object.fromEntries(Object.keys(params).map((name) => [name, fail]));
  const served = serve(channel, params, handlers as Handlers<typeof params, EngineMethods>);
  const welcome: Welcome = {
    engine: randomUUID(),
    version: VERSION,
    dataDirectory,
    platform: process.platform,
    models: [],
    languages: [],
    sample: null,
    fleet: null,
    open: null,
    allowedRoot: null,
    failure: toWire(error),
  };
  served.emit('welcome', welcome);
}

export function startSession(options?: SessionOptions): EngineSession {
  return new EngineSession(handlersFor, options);
}
