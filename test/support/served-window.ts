import { once } from 'node:events';
import { WebSocket } from 'ws';
import { ENGINE_PATH, ENGINE_PROTOCOL } from '../../src/shared/app-page.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { Channel } from '../../src/shared/rpc/messages.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';

/** Returns the headers with which the page at an address opens its WebSocket. */
export function engineHeaders(address: string): Record<string, string> {
  const { origin, searchParams } = new URL(address);
  return { origin, 'sec-websocket-protocol': `${ENGINE_PROTOCOL}, ${searchParams.get('token')}` };
}

/** Opens a window of the app at the address that `locus serve` printed. */
export async function openWindow(address: string) {
  const { host, origin, searchParams } = new URL(address);
  const protocols = [ENGINE_PROTOCOL, searchParams.get('token') ?? ''];
  const socket = new WebSocket(`ws://${host}${ENGINE_PATH}`, protocols, { origin });
  const channel: Channel = {
    post: (text) => socket.send(text),
    onMessage: (listener) => socket.on('message', (data) => String(data) && listener(String(data))),
    onClose: (listener) => socket.on('close', listener),
    close: () => socket.close(),
  };
  const client = new RpcClient<EngineMethods, Events>(async () => {});
  // The engine's first message may arrive together with the connection, so listen before waiting.
  client.attach(channel);
  await once(socket, 'open');
  return { client, close: () => socket.terminate() };
}
