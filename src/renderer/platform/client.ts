/** The engine, for all views: `engine.call('search', …)`, `engine.on('updated', …)`. */
import { RpcClient } from '../../shared/rpc/client.ts';
import type { Events } from '../../shared/rpc/events.ts';
import type { EngineMethods } from '../../shared/rpc/methods.ts';
import { connect } from './host.ts';

/** Repositories that this window has open. A new engine has to open them before it can answer for them. */
export const openPlaces = new Map<string, { root: string; revision?: string }>();

export const engine = new RpcClient<EngineMethods, Events>(async (_welcome, ask) => {
  await Promise.allSettled(
    Array.from(openPlaces.values(), (place) => ask('repository.open', place)),
  );
});

/** Connects for as long as the window lives. */
export const connectEngine = (): void => connect((channel) => engine.attach(channel));
