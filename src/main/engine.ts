import type { MessagePortMain } from 'electron';
import type { ToEngine } from '../backend/messages.ts';
import type { SupervisedProcess } from '../backend/supervisor.ts';
import type { ElectronApi } from './electron-api.ts';

export interface UtilityEngine extends SupervisedProcess {
  /** Passes the port of a window to the engine, so that they exchange messages directly. */
  connect(client: string, port: MessagePortMain): void;
}

export function forkEngine(
  { utilityProcess }: Pick<ElectronApi, 'utilityProcess'>,
  entry: string,
): UtilityEngine {
  const child = utilityProcess.fork(entry, ['{}'], {
    serviceName: 'Locus Engine',
    stdio: 'inherit',
  });
  const send = (message: ToEngine, ports?: MessagePortMain[]) => child.postMessage(message, ports);
  return {
    connect: (client, port) => send({ type: 'connect', client, allowedRoot: null }, [port]),
    onExit: (listener) => {
      child.once('exit', (code) => listener(`exit code ${code}`));
    },
    stop: () => send({ type: 'stop' }),
    kill: () => child.kill(),
  };
}
