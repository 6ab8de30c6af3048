/**
 * Embeds a sentence on a device and reports the result. It is a process of its own, since drivers write warnings to its
 * output and may crash it.
 */
import { createProcessPort, serveWorker } from '../../base/worker-server.ts';
import type { DeviceName } from '../../shared/devices.ts';
import { createTextQuery } from '../issue/queries.ts';
import { createEncoder } from './encoder.ts';

interface Trial {
  device: DeviceName;
  modelFolder: string;
}

async function tryDevice({ device, modelFolder }: Trial) {
  const encoder = await createEncoder({ modelFolder, device });
  try {
    const vector = await encoder.encodeQuery(createTextQuery('Where is a cookie parsed?'));
    const { modelId, fallback } = encoder;
    return { device: encoder.device, modelId, fallback, length: Math.hypot(...vector) };
  } finally {
    await encoder.close();
  }
}

const methods = { try: tryDevice };

export type DeviceMethods = typeof methods;

serveWorker(createProcessPort(), methods);
