import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Embedded } from './embed-on.ts';
import { BAG_1 } from './model-folder.ts';

// Of 1 - cosine, on any sample document. That the CPU embeds as training did is tested in agreement.test.ts.
const WEBGPU_TOLERANCE = 1e-5;

/** Where Chromium and Electron keep their software Vulkan device, SwiftShader, and a Vulkan loader. */
const CHROMIUM_FOLDERS = [
  process.env.LOCUS_CHROMIUM,
  join(import.meta.dirname, '../../node_modules/electron/dist'),
  '/usr/lib/chromium',
  '/usr/lib/chromium-browser',
  '/opt/google/chrome',
  '/opt/chromium.org/chromium',
].flatMap((path) => (path ? [path, dirname(path)] : []));

async function embedOn(model: string, device: string, env: NodeJS.ProcessEnv = {}) {
  const script = join(import.meta.dirname, 'embed-on.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, model, device], {
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as Embedded;
}

/** The largest 1 - cosine between vectors of the same key. */
function largestDistance(a: Embedded, b: Embedded): number {
  assert.deepEqual(Object.keys(a.vectors).sort(), Object.keys(b.vectors).sort());
  assert.ok(Object.keys(a.vectors).length > 50);
  const distances = Object.entries(a.vectors).map(
    ([key, vector]) => 1 - vector.reduce((sum, value, i) => sum + value * b.vectors[key][i], 0),
  );
  return Math.max(...distances);
}

/** The environment in which Vulkan finds a software device; empty where there is none. */
function softwareVulkan(): NodeJS.ProcessEnv {
  for (const folder of CHROMIUM_FOLDERS) {
    const driver = join(folder, 'vk_swiftshader_icd.json');
    if (!existsSync(driver)) continue;
    const libraries = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    return { VK_ICD_FILENAMES: driver, VK_DRIVER_FILES: driver, LD_LIBRARY_PATH: libraries };
  }
  return {};
}

test('WebGPU embeds as the CPU does', async (t) => {
  const env = softwareVulkan();
  const webgpu = await embedOn(BAG_1, 'webgpu', env);
  if (webgpu.device !== 'webgpu') {
    const driver = env.VK_ICD_FILENAMES ?? 'no software driver found: set LOCUS_CHROMIUM';
    t.skip(`NOT TESTED: ${webgpu.fallback} (${driver})`);
    return;
  }
  const distance = largestDistance(webgpu, await embedOn(BAG_1, 'cpu'));
  t.diagnostic(`largest 1 - cosine: ${distance.toExponential(1)}`);
  assert.ok(distance < WEBGPU_TOLERANCE, `1 - cosine is ${distance}`);
});
