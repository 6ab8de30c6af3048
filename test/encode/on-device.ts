/* Embeds sample documents on any device, including a software device for Vulkan. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Embedded } from './embed-on.ts';

/** Folders in which Chromium and Electron have SwiftShader, a software Vulkan device, and a Vulkan loader. */
const CHROMIUM_FOLDERS = [
  process.env.LOCUS_CHROMIUM,
  join(import.meta.dirname, '../../node_modules/electron/dist'),
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/opt/google/chrome',
  '/opt/chromium.org/chromium',
].flatMap((path) => (path ? [path, dirname(path)] : []));

/** Embeds the sample documents, or the first `count` of them, in a process of its own. */
export async function embedOn(
  model: string,
  device: string,
  env: NodeJS.ProcessEnv = {},
  count: number | '' = '',
) {
  const script = join(import.meta.dirname, 'embed-on.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, model, device, `${count}`],
    {
      env: { ...process.env, ...env },
      maxBuffer: 1 << 28,
    },
  );
  return JSON.parse(stdout) as Embedded;
}

/** Returns the largest 1 - cosine between vectors of the same key. */
export function largestDistance(a: Embedded, b: Embedded): number {
  assert.deepEqual(Object.keys(a.vectors).sort(), Object.keys(b.vectors).sort());
  assert.ok(Object.keys(a.vectors).length > 0);
  const distances = Object.entries(a.vectors).map(
    ([key, vector]) => 1 - vector.reduce((sum, value, i) => sum + value * b.vectors[key][i], 0),
  );
  return Math.max(...distances);
}

/** Returns the environment in which Vulkan finds a software device; empty if none exists. */
export function softwareVulkan(): NodeJS.ProcessEnv {
  for (const folder of CHROMIUM_FOLDERS) {
    const driver = join(folder, 'vk_swiftshader_icd.json');
    if (!existsSync(driver)) continue;
    const libraries = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    return { VK_ICD_FILENAMES: driver, VK_DRIVER_FILES: driver, LD_LIBRARY_PATH: libraries };
  }
  return {};
}
