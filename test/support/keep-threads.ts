import { after } from 'node:test';
import { acquireSharedEncoder } from '../../src/engine/encode/shared-encoder.ts';
import { acquirePool } from '../../src/engine/parse/shared-pool.ts';
import { DEFAULT_MODEL, findModelFolder } from '../../src/services/models.ts';
import type { Device } from '../../src/shared/devices.ts';

/**
 * Keeps the threads that parse and encode until the last test of the file has ended, as if another repository were open. Each
 * repository that a test opens and indexes would otherwise start them, and load grammars and model, once more.
 * @param device device with which the tests open repositories
 */
export async function keepThreads(device: Device = 'cpu'): Promise<void> {
  const parsers = acquirePool();
  // An index run stops them, to free their memory.
  parsers.pool.stopIdleThreads = async () => {};
  const modelFolder = await findModelFolder({ model: DEFAULT_MODEL });
  const encoder = await acquireSharedEncoder({ modelFolder, device });
  after(async () => {
    await encoder.close();
    await parsers[Symbol.asyncDispose]();
  });
}
