import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { fileName } from '../encode/fields.ts';

const manifest = z.object({
  kind: z.literal('reader'),
  id: z.string().min(1),
  version: z.string().min(1),
  files: z.object({ model: fileName, words: fileName, neighbours: fileName }),
  sha256: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/)).default({}),
  licence: z.string().optional(),
  /** What it was trained on, in a sentence. */
  trainedOn: z.string().optional(),
});

/** What `reader.json` says of a reader. */
export type ReaderManifest = z.infer<typeof manifest>;

/** The manifest's name in a reader's folder: encoders have another. */
const MANIFEST_FILE = 'reader.json';

/**
 * Reads and checks the manifest of the reader in `folder`.
 * @throws LocusError `bad-model`
 */
export async function loadReaderManifest(folder: string): Promise<ReaderManifest> {
  const path = join(folder, MANIFEST_FILE);
  try {
    return manifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new LocusError(
      'bad-model',
      `${path} is not the manifest of a reader: ${(cause as Error).message}`,
      'Restore the model folder, or choose another model.',
      { cause },
    );
  }
}
