/** Client of the engine, shared by all views: `engine.call('search', …)`, `engine.on('updated', …)`. */
import { RpcClient } from '../../shared/rpc/client.ts';
import type { Events } from '../../shared/rpc/events.ts';
import type { EngineMethods } from '../../shared/rpc/methods.ts';
import { connect } from './host.ts';

/** Repositories that this window has open. A restarted engine must open them again before it can answer. */
export const openRepositories = new Map<string, { root: string; revision?: string }>();

export const engine = new RpcClient<EngineMethods, Events>(async (_welcome, ask) => {
  await Promise.allSettled(
    Array.from(openRepositories.values(), (request) => ask('repository.open', request)),
  );
});

/** Connects to the engine, and reconnects until the window closes. */
export const connectEngine = (): void => connect((channel) => engine.attach(channel));
