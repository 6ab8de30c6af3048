import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { throwIfCancelled } from '../../base/cancel.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { explainWriteError } from '../../base/write-file.ts';
import { badInput } from '../../shared/errors.ts';
import { assertSpace } from './space.ts';

export interface CopyOptions {
  source: string;
  path: string;
  /** Expected digest; null for any. */
  sha256: string | null;
  signal: AbortSignal;
  onProgress?: (bytes: number, total: number | null) => void;
}

/**
 * Copies a large file, and returns its digest. Removes the copy if that fails.
 * @throws LocusError `bad-input` for a file that is missing, or has another digest; `bad-output` if the disk is full; `cancelled`
 */
export async function copyFile(options: CopyOptions): Promise<string> {
  const { source, path, sha256, signal, onProgress = () => {} } = options;
  const found = await stat(source).catch(() => null);
  if (!found?.isFile()) throw badInput(`${resolve(source)} is not a file.`, 'Choose a .gguf file.');
  await assertSpace(path, found.size);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      createReadStream(source, { highWaterMark: 2 ** 20 }),
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          hash.update(part);
          bytes += part.length;
          onProgress(bytes, found.size);
          yield part;
        }
      },
      createWriteStream(path, { mode: PRIVATE_FILE }),
      { signal },
    );
    const digest = hash.digest('hex');
    if (sha256 === null || digest === sha256) return digest;
    throw badInput(
      `${resolve(source)} has the sha256 ${digest}, not ${sha256}.`,
      'Check the digest, or download the file again.',
    );
  } catch (error) {
    await rm(path, { force: true });
    throwIfCancelled(signal, 'The copy');
    throw explainWriteError(error, path);
  }
}
