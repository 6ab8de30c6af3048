/** Entry of the engine's process under Node. The host that forked it relays the texts of its windows over the IPC channel. */
import '../base/no-telemetry.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { EngineHost } from './engine-host.ts';
import type { FromEngine, ToEngine } from './messages.ts';

/** Creates the channel of one window. All windows share the channel to the host. */
function createRelayedChannel(
  post: (text: string) => void,
): Channel & { receive(text: string): void } {
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
const clients = new Map<string, ReturnType<typeof createRelayedChannel>>();
process.on('message', (message: ToEngine) => {
  if (message.type === 'stop') host.stop();
  else if (message.type === 'connect') {
    clients.get(message.client)?.close();
    const channel = createRelayedChannel((text) => {
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
// The engine exits with its host.
process.on('disconnect', () => host.stop());
// Interrupts from a terminal reach the whole process group, but the host decides when to stop.
process.on('SIGINT', () => {});
