import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { linkProcess, WorkerClient } from '../../base/worker-client.ts';
import type { DeviceName } from '../../shared/devices.ts';
import type { DeviceMethods } from './device-trial-process.ts';

/**
 * Embeds a sentence on a device, in a process whose output is ignored.
 * @throws errors of `createEncoder`; Error if the process ends before it answers
 */
export async function tryDevice(device: DeviceName, modelFolder: string) {
  const script = fileURLToPath(new URL('./device-trial-process.ts', import.meta.url));
  const child = fork(script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const client = new WorkerClient<DeviceMethods>(linkProcess(child), {
    explainEnd: ({ message }) => new Error(`The device could not be tested: ${message}.`),
  });
  try {
    return await client.call('try', { device, modelFolder });
  } finally {
    await client.kill(new Error('The device test is over.'));
  }
}
