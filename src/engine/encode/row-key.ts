import { hash } from 'node:crypto';
import type { EncoderRow } from './types.ts';

/**
 * Names what a model was given: 40 hex digits of the SHA-256 over the model's id and version and the
 * exact inputs. It does not depend on the device, whose embeddings agree within the tests' tolerance.
 */
export function rowKeys(modelId: string, modelVersion: string): (row: EncoderRow) => string {
  const model = Buffer.from(`${modelId}\0${modelVersion}\0`);
  return ({ inputIds, tokenTypeIds, tokenWeights }) => {
    const bytes = Buffer.concat([
      model,
      bytesOf(inputIds),
      bytesOf(tokenTypeIds),
      ...(tokenWeights ? [bytesOf(tokenWeights)] : []),
    ]);
    return hash('sha256', bytes, 'hex').slice(0, 40);
  };
}

function bytesOf(numbers: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
