/** The `locus serve` that runs on a data directory, for commands that want its windows. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataDirectory } from './locations.ts';
import { writePrivateFile } from './write-file.ts';

const record = z.object({
  /** When it was started. */
  at: z.number(),
  pid: z.int().min(1),
  // The token is in it, so that the file is readable by its user alone.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?token=[\w-]+$/),
});
type Noted = z.output<typeof record>;

/** Milliseconds; a server that is at work answers in a few. */
const PATIENCE_MS = 2_000;

/** The name of a server's cookie: browsers share cookies among ports, so that it has to tell servers apart. */
export const cookieOf = (port: number | string): string => `locus-${port}`;

/** A file for each server, by its process: several run on one data directory, and any of them may end first. */
const folderOf = (dataDir: string | undefined) => join(dataDirectory(dataDir), 'servers');
const fileOf = (dataDir: string | undefined) => join(folderOf(dataDir), `${process.pid}.json`);

/** Remembers the server of this process; the latest of several that run is found. What killed ones have left goes. */
export function rememberServer(url: string, dataDir?: string): void {
  mkdirSync(folderOf(dataDir), { recursive: true });
  liveRecords(folderOf(dataDir));
  writePrivateFile(fileOf(dataDir), JSON.stringify({ at: Date.now(), pid: process.pid, url }));
}

/** Forgets the server of this process. */
export function forgetServer(dataDir?: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The address, token included, of a server that runs; null where there is none. */
export async function runningServer(dataDir?: string): Promise<string | null> {
  for (const { url } of liveRecords(folderOf(dataDir))) if (await answers(url)) return url;
  return null;
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

/** The latest first. The file of a process that is gone, as of a server that was killed, is removed. */
function liveRecords(folder: string): Noted[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => {
    const noted = readRecord(join(folder, name));
    if (noted === null || isAlive(noted.pid)) return noted ?? [];
    rmSync(join(folder, name), { force: true });
    return [];
  });
  return found.sort((a, b) => b.at - a.at);
}

function readRecord(path: string): Noted | null {
  try {
    return record.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null;
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
