/**
 * Embeds a sentence on a device and says what came of it: a process of its own, as drivers write warnings where they
 * like and may take the process with them. Arguments: the device, and the folder of a model.
 */
import { createEncoder } from '../engine/encode/encoder.ts';
import { queryOf } from '../engine/issue/queries.ts';
import { DEVICES, type DeviceName } from '../shared/devices.ts';

/** What the process tells. */
export type DeviceTrial =
  | { device: string; modelId: string; fallback: string | null; length: number }
  | { error: string };

/** @throws as `createEncoder` */
async function tryDevice(device: DeviceName, modelFolder: string): Promise<DeviceTrial> {
  const encoder = await createEncoder({ modelFolder, device });
  try {
    const vector = await encoder.encodeQuery(queryOf('Where is a cookie parsed?'));
    const { modelId, fallback } = encoder;
    return { device: encoder.device, modelId, fallback, length: Math.hypot(...vector) };
  } finally {
    await encoder.close();
  }
}

const [wanted, modelFolder = ''] = process.argv.slice(2);
const device = DEVICES.find((known) => known === wanted) ?? 'cpu';
const trial = await tryDevice(device, modelFolder).catch(
  (error: Error): DeviceTrial => ({ error: error.message }),
);
process.send?.(trial);
process.disconnect?.();
