/**
 * Embeds a sentence on a device and says what came of it: a process of its own, as drivers write warnings where they
 * like and may take the process with them.
 */
import { processPort, serveWorker } from '../../base/worker-server.ts';
import type { DeviceName } from '../../shared/devices.ts';
import { queryOf } from '../issue/queries.ts';
import { createEncoder } from './encoder.ts';

interface Trial {
  device: DeviceName;
  modelFolder: string;
}

async function tryDevice({ device, modelFolder }: Trial) {
  const encoder = await createEncoder({ modelFolder, device });
  try {
    const vector = await encoder.encodeQuery(queryOf('Where is a cookie parsed?'));
    const { modelId, fallback } = encoder;
    return { device: encoder.device, modelId, fallback, length: Math.hypot(...vector) };
  } finally {
    await encoder.close();
  }
}

const methods = { try: tryDevice };

export type DeviceMethods = typeof methods;

serveWorker(processPort(), methods);
