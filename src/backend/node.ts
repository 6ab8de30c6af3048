/** The engine's process under Node: the host that forked it relays its windows' texts over the IPC channel. */
import '../base/no-telemetry.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { EngineHost } from './engine-host.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/** A window's texts among those of others, on the one channel to the host. */
function relayed(post: (text: string) => void): Channel & { receive(text: string): void } {
  const closeListeners: (() => void)[] = [];
  let receive: (text: string) => void = () => {};
  return {
    post,
    receive: (text) => receive(text),
    onMessage: (listener) => {
      receive = listener;
    },
    onClose: (listener) => void closeListeners.push(listener),
    close: () => {
      for (const listener of closeListeners.splice(0)) listener();
    },
  };
}

const host = new EngineHost();
const clients = new Map<string, ReturnType<typeof relayed>>();
process.on('message', (message: ToEngine) => {
  if (message.type === 'stop') host.stop();
  else if (message.type === 'connect') {
    clients.get(message.client)?.close();
    const channel = relayed((text) => {
      if (process.connected) process.send?.({ client: message.client, text } satisfies FromEngine);
    });
    clients.set(message.client, channel);
    host.connect(channel, message.allowedRoot);
  } else if (message.type === 'message') clients.get(message.client)?.receive(message.text);
  else {
    clients.get(message.client)?.close();
    clients.delete(message.client);
  }
});
// Without its host the engine has no reason to be.
process.on('disconnect', () => host.stop());
// Interrupts from a terminal reach the whole process group; the host says when to stop.
process.on('SIGINT', () => {});
