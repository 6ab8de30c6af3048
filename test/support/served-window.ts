import { once } from 'node:events';
import { WebSocket } from 'ws';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { Channel } from '../../src/shared/rpc/messages.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';

/** A window of the app at the address that `locus serve` printed. */
export async function openWindow(address: string) {
  const { origin, host } = new URL(address);
  const welcome = await fetch(address);
  const cookie = welcome.headers.get('set-cookie')!.split(';')[0];
  const socket = new WebSocket(`ws://${host}/engine`, { headers: { cookie, origin } });
  await once(socket, 'open');
  const channel: Channel = {
    post: (text) => socket.send(text),
    onMessage: (listener) => socket.on('message', (data) => String(data) && listener(String(data))),
    onClose: (listener) => socket.on('close', listener),
    close: () => socket.close(),
  };
  const client = new RpcClient<EngineMethods, Events>(async () => {});
  client.attach(channel);
  return { client, close: () => socket.terminate() };
}
