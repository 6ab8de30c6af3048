/** The machine's source of power. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PowerSources {
  platform: NodeJS.Platform;
  /** Linux: the folder with a folder for each battery and mains adapter. */
  supplies: string;
  run(program: string, args: readonly string[]): Promise<string>;
}

const SYSTEM: PowerSources = {
  platform: process.platform,
  supplies: '/sys/class/power_supply',
  run: async (program, args) =>
    (await promisify(execFile)(program, args, { timeout: 5_000, windowsHide: true })).stdout,
};

/** Values of `Win32_Battery.BatteryStatus`: discharging, low and critical. All others have power from the mains. */
const DISCHARGING_ON_WINDOWS = /^[145]\s*$/m;

/** Returns true if the machine runs on its battery now; false if it has none or the system does not tell. */
export async function onBattery(system = SYSTEM): Promise<boolean> {
  try {
    switch (system.platform) {
      case 'linux':
        return await isDischarging(system.supplies);
      case 'darwin':
        return (await system.run('/usr/bin/pmset', ['-g', 'batt'])).includes("'Battery Power'");
      case 'win32':
        return DISCHARGING_ON_WINDOWS.test(await readBatteryStatus(system));
      default:
        return false;
    }
  } catch {
    // Unknown, as on a desktop.
    return false;
  }
}

/** Returns true if a battery of the machine itself discharges; mice and headsets have batteries, too. */
async function isDischarging(supplies: string): Promise<boolean> {
  for (const name of await readdir(supplies)) {
    const read = (file: string) =>
      readFile(join(supplies, name, file), 'utf8').then(
        (text) => text.trim(),
        () => '',
      );
    const [type, scope, status] = await Promise.all([read('type'), read('scope'), read('status')]);
    if (type === 'Battery' && scope !== 'Device' && status === 'Discharging') return true;
  }
  return false;
}

function readBatteryStatus({ run }: PowerSources): Promise<string> {
  const folder = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'WindowsPowerShell');
  return run(join(folder, 'v1.0', 'powershell.exe'), [
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    '(Get-CimInstance Win32_Battery).BatteryStatus',
  ]);
}
