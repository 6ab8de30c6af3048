/** What came of the last time that an index was looked for, for who wants to know whether a shared index is of use. */
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
import type { LastPull } from '../../shared/shared-index.ts';

const count = z.int().min(0);
const content: z.ZodType<LastPull> = z.object({
  at: z.iso.datetime(),
  root: z.string(),
  taken: z
    .object({
      commit: z.string(),
      behind: count,
      from: z.string(),
      files: count,
      chunks: count,
      parts: count,
      bytes: count,
      embeddings: z.boolean(),
    })
    .nullable(),
  failure: z.object({ message: z.string(), remedy: z.string() }).nullable(),
});

const FILE = 'shared-index-last.json';
const MAX_BYTES = 2 ** 20;

/** Returns the note of the last pull; null if there is none or it cannot be read. */
export function lastPull(dataDirectory: string): LastPull | null {
  try {
    const bytes = new UntrustedFolder(dataDirectory, 'bad-store').readSync(FILE, MAX_BYTES);
    return content.safeParse(bytes && parseJsonOrNull(bytes.toString('utf8'))).data ?? null;
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

/** A pull is none the worse for a note that could not be written. */
export function noteLastPull(dataDirectory: string, last: LastPull): void {
  try {
    writePrivateFile(join(dataDirectory, FILE), `${JSON.stringify(last, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
