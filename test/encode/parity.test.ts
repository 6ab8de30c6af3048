import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAG_1 } from './model-folder.ts';
import { embedOn, largestDistance, softwareVulkan } from './on-device.ts';

// Maximum of 1 - cosine for any sample document. agreement.test.ts compares the CPU with training.
const WEBGPU_TOLERANCE = 1e-5;

test('WebGPU gives the same embeddings as the CPU', async (t) => {
  const env = softwareVulkan();
  const webgpu = await embedOn(BAG_1, 'webgpu', env);
  if (webgpu.device !== 'webgpu') {
    const driver = env.VK_ICD_FILENAMES ?? 'no software driver found: set LOCUS_CHROMIUM';
    t.skip(`NOT TESTED: ${webgpu.fallback} (${driver})`);
    return;
  }
  assert.ok(Object.keys(webgpu.vectors).length > 50);
  const distance = largestDistance(webgpu, await embedOn(BAG_1, 'cpu'));
  t.diagnostic(`largest 1 - cosine: ${distance.toExponential(1)}`);
  assert.ok(distance < WEBGPU_TOLERANCE, `1 - cosine is ${distance}`);
});
