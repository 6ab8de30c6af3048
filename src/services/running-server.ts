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

/** Milliseconds; a server that is at work answers in a few. */
const PATIENCE_MS = 2_000;

/** The name of a server's cookie: browsers share cookies among ports, so that it has to tell servers apart. */
export const cookieOf = (port: number | string): string => `locus-${port}`;

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
export async function runningServer(dataDir?: string): Promise<string | null> {
  const found = readRecord(dataDir);
  return found && isAlive(found.pid) && (await answers(found.url)) ? found.url : null;
}

/** Another process may have the number of a server that was killed, or its port: only that server takes the token for its cookie. */
async function answers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { ok, headers } = await fetch(url, { method: 'HEAD', redirect: 'error', signal });
    const cookie = `${cookieOf(new URL(url).port)}=`;
    return ok && headers.getSetCookie().some((set) => set.startsWith(cookie));
  } catch {
    return false;
  }
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
