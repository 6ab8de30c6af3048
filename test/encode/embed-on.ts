/*
 * Embeds the sample documents on a device and prints the result as JSON. It is a process of its own,
 * since the environment of a process chooses the Vulkan driver.
 *
 *     node embed-on.ts <model folder> <device> [how many documents]
 */
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import type { Device } from '../../src/shared/devices.ts';
import { sampleDocuments } from './sample-documents.ts';

/** The printed result. */
export interface Embedded {
  device: string;
  fallback: string | null;
  /** Embeddings by key. */
  vectors: Record<string, number[]>;
}

const [modelFolder, device, count] = process.argv.slice(2);
const encoder = await createEncoder({ modelFolder, device: device as Device });
const documents = (await sampleDocuments()).slice(0, count ? Number(count) : undefined);
const { vectors } = await encoder.encode(documents, (keys) => keys.map(() => false));
await encoder.close();
const embedded: Embedded = {
  device: encoder.device,
  fallback: encoder.fallback,
  vectors: Object.fromEntries([...vectors].map(([key, vector]) => [key, [...vector]])),
};
process.stdout.write(JSON.stringify(embedded));
