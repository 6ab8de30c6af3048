import { hash } from 'node:crypto';
import { loadKind } from './kinds/index.ts';
import type { ModelManifest } from './manifest.ts';
import { ModelFiles } from './model-files.ts';
import type { EncoderRow, InputMaker } from './types.ts';

/**
 * Returns a function that computes the key of a row: 40 hex digits of the SHA-256 over the model's id, its version and the
 * exact inputs. The key does not depend on the device: embeddings of all devices agree within the tests' tolerance.
 */
export function createKeyFunction(
  modelId: string,
  modelVersion: string,
): (row: EncoderRow) => string {
  const model = Buffer.from(`${modelId}\0${modelVersion}\0`);
  let input = new Uint8Array(1 << 12);
  return ({ inputIds, tokenTypeIds, tokenWeights }) => {
    const parts = tokenWeights ? [inputIds, tokenTypeIds, tokenWeights] : [inputIds, tokenTypeIds];
    const length = model.length + parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (length > input.length) input = new Uint8Array(2 * length);
    input.set(model);
    let end = model.length;
    for (const { buffer, byteOffset, byteLength } of parts) {
      input.set(new Uint8Array(buffer, byteOffset, byteLength), end);
      end += byteLength;
    }
    return hash('sha256', input.subarray(0, end), 'hex').slice(0, 40);
  };
}

/**
 * Groups rows of similar length into batches of at most `maxTokens` tokens, padding included. A longer row gets a batch of
 * its own.
 * @returns batches of indices into `rows`
 */
export function groupIntoBatches(rows: readonly EncoderRow[], maxTokens: number): number[][] {
  const order = rows
    .map(({ inputIds }, index) => ({ index, length: Math.max(1, inputIds.length) }))
    .sort((a, b) => a.length - b.length);
  const grouped: number[][] = [];
  let batch: number[] = [];
  for (const { index, length } of order) {
    if (batch.length > 0 && (batch.length + 1) * length > maxTokens) {
      grouped.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) grouped.push(batch);
  return grouped;
}

export async function createInputs(folder: string, manifest: ModelManifest): Promise<InputMaker> {
  const kind = await loadKind(manifest.kind);
  return kind.createInputs(new ModelFiles(folder, manifest), manifest);
}
