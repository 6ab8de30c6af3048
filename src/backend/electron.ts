/** Entry of the engine's process under Electron: a utility process that receives a MessagePort for each window. */
import '../base/no-telemetry.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { EngineHost } from './engine-host.ts';
import type { ToEngine } from './messages.ts';

const host = new EngineHost();
const { parentPort } = process as unknown as { parentPort: ParentPort };
parentPort.on('message', ({ data, ports }) => {
  if (data.type === 'stop') host.stop();
  else if (data.type === 'connect' && ports[0]) {
    host.connect(createPortChannel(ports[0]), data.allowedRoot);
  }
});

function createPortChannel(port: ElectronPort): Channel {
  return {
    post: (text) => port.postMessage(text),
    onMessage: (listener) => {
      port.on('message', ({ data }) => {
        if (typeof data === 'string') listener(data);
      });
      port.start();
    },
    onClose: (listener) => port.on('close', listener),
    close: () => port.close(),
  };
}

/** Part of Electron's MessagePortMain that is used here. */
interface ElectronPort {
  postMessage(data: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}
interface ParentPort {
  on(event: 'message', listener: (event: { data: ToEngine; ports: ElectronPort[] }) => void): void;
}
