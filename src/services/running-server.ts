/** The `locus serve` that runs on a data directory, for commands that want its windows. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataDirectory } from './locations.ts';
import { writePrivateFile } from './write-file.ts';

const record = z.object({
  pid: z.int().min(1),
  // The token is in it, so that the file is readable by its user alone.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?token=[\w-]+$/),
});

const fileOf = (dataDir: string | undefined) => join(dataDirectory(dataDir), 'serve.json');

/** Remembers the server of this process; the latest of several is found. */
export function rememberServer(url: string, dataDir?: string): void {
  writePrivateFile(fileOf(dataDir), JSON.stringify({ pid: process.pid, url }));
}

/** Forgets the server of this process, unless another one was started since. */
export function forgetServer(dataDir?: string): void {
  if (readRecord(dataDir)?.pid === process.pid) rmSync(fileOf(dataDir), { force: true });
}

/** The address, token included, of a server that runs; null where there is none. */
export function runningServer(dataDir?: string): string | null {
  const found = readRecord(dataDir);
  return found && isAlive(found.pid) ? found.url : null;
}

function readRecord(dataDir: string | undefined): z.output<typeof record> | null {
  try {
    return record.safeParse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
