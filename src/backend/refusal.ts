import { randomUUID } from 'node:crypto';
import type { Welcome } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { describe, type Handlers, serve } from '../shared/rpc/server.ts';
import { VERSION } from '../shared/version.ts';

/**
 * Tells a window why the engine cannot serve it, and answers everything it asks with that. Ending the process instead
 * would have it started again, to end again.
 */
export function refuse(channel: Channel, error: unknown, dataDirectory: string): void {
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
    failure: describe(error),
  };
  served.emit('welcome', welcome);
}
