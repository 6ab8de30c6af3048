import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DeviceName } from '../shared/devices.ts';
import type { DeviceTrial } from './device-check.ts';

/**
 * Embeds a sentence on a device, in a process whose own words nobody hears.
 * @throws Error (as rejection) when no process can be started
 */
export function tryDevice(device: DeviceName, modelFolder: string): Promise<DeviceTrial> {
  const script = fileURLToPath(new URL('./device-check.ts', import.meta.url));
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  const child = fork(script, [device, modelFolder], { stdio: [...stdio] });
  return new Promise((resolve, reject) => {
    child.once('message', (trial: DeviceTrial) => resolve(trial));
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve({ error: `the process that tried it ended with ${signal ?? `code ${code}`}` }),
    );
  });
}
