/** Runs the engine's process, for both of its entries: a session for all windows, started with the first window. */

import { randomUUID } from 'node:crypto';
import { identifyProcess, logFailure } from '../base/log.ts';
import { getDataDirectory } from '../services/locations.ts';
import { toFailure } from '../shared/errors.ts';
import type { EngineWelcome } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { type Handlers, serve } from '../shared/rpc/server.ts';
import { VERSION } from '../shared/version.ts';
import { createHandlers } from './handlers.ts';
import { EngineSession, type SessionOptions } from './session.ts';

/** Host of the session. The process receives `SessionOptions` as JSON in its first argument. */
export class EngineHost {
  readonly #options = JSON.parse(process.argv[2] ?? '{}') as SessionOptions;
  #session: EngineSession | null = null;
  #isStopping = false;

  constructor() {
    identifyProcess('engine');
  }

  /** Connects a window. Starts the session if necessary; if that failed for an earlier window, tries again. */
  connect(channel: Channel, allowedRoot: string | null): void {
    try {
      this.#session ??= startSession(this.#options);
      this.#session.connect(channel, { allowedRoot });
    } catch (error) {
      logFailure(error);
      console.error('locus: The engine cannot start.', error);
      serveFailure(channel, error, getDataDirectory(this.#options.dataDir));
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await this.#session?.close();
    process.exit(0);
  }
}

/**
 * Tells a window why the engine cannot start, and answers all its requests with that error. If the process exited instead,
 * it would be restarted and fail again.
 */
function serveFailure(channel: Channel, error: unknown, dataDirectory: string): void {
  const fail = () => {
    throw error;
  };
  const handlers: unknown = Object.fromEntries(Object.keys(params).map((name) => [name, fail]));
  const served = serve(channel, params, handlers as Handlers<typeof params, EngineMethods>);
  const welcome: EngineWelcome = {
    engine: randomUUID(),
    version: VERSION,
    dataDirectory,
    platform: process.platform,
    models: [],
    rerankers: [],
    languages: [],
    sample: null,
    fleet: null,
    open: null,
    allowedRoot: null,
    failure: toFailure(error),
  };
  served.emit('welcome', welcome);
}

export function startSession(options?: SessionOptions): EngineSession {
  return new EngineSession(createHandlers, options);
}
