/** What came of the last time that an index was looked for, for who wants to know whether a shared index is of use. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LastPull } from '../../shared/shared-index.ts';
import { parseJson } from '../http.ts';
import { writePrivateFile } from '../write-file.ts';

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

const fileIn = (dataDirectory: string) => join(dataDirectory, 'shared-index-last.json');

/** Null where there was none; what cannot be understood counts as none. */
export function lastPull(dataDirectory: string): LastPull | null {
  const path = fileIn(dataDirectory);
  if (!existsSync(path)) return null;
  return content.safeParse(parseJson(readFileSync(path, 'utf8'))).data ?? null;
}

/** A pull is none the worse for a note that could not be written. */
export function noteLastPull(dataDirectory: string, last: LastPull): void {
  try {
    writePrivateFile(fileIn(dataDirectory), `${JSON.stringify(last, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
