/** Detects whether the machine runs on battery power. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PowerSources {
  platform: NodeJS.Platform;
  /** Linux: folder with one entry for each battery and power adapter. */
  supplies: string;
  run(program: string, args: readonly string[]): Promise<string>;
}

const SYSTEM: PowerSources = {
  platform: process.platform,
  supplies: '/sys/class/power_supply',
  run: async (program, args) =>
    (await promisify(execFile)(program, args, { timeout: 5_000, windowsHide: true })).stdout,
};

/** Values of `Win32_Battery.BatteryStatus` that mean discharging, low or critical. All other values mean external power. */
const DISCHARGING_ON_WINDOWS = /^[145]\s*$/m;

/** Returns true if the machine runs on its battery. Returns false if there is no battery or the state is unknown. */
export async function isOnBattery(system = SYSTEM): Promise<boolean> {
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
    // The state is unknown, as on most desktop machines.
    return false;
  }
}

/** Returns true if a battery of the machine is discharging. Batteries of mice and headsets don't count. */
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
