/** The engine's process under Electron: a utility process that is handed one MessagePort for each window. */
import '../base/no-telemetry.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { EngineHost } from './engine-host.ts';
import type { ToEngine } from './messages.ts';

const host = new EngineHost();
const { parentPort } = process as unknown as { parentPort: ParentPort };
parentPort.on('message', ({ data, ports }) => {
  if (data.type === 'stop') host.stop();
  else if (data.type === 'connect' && ports[0]) {
    host.connect(portChannel(ports[0]), data.allowedRoot);
  }
});

function portChannel(port: ElectronPort): Channel {
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

/** Electron's MessagePortMain and parentPort, as far as they are used here. */
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
