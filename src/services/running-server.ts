/** The `locus serve` that runs on a data directory, for commands that want its windows. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../base/private.ts';
import { writePrivateFile } from '../base/write-file.ts';
import { ENGINE_PATH } from '../shared/app-page.ts';
import { dataDirectory } from './locations.ts';

const record = z.object({
  at: z.number(),
  pid: z.int().min(1),
  // The token is in it, so that the file is readable by its user alone.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?token=[\w-]+$/),
});
type Noted = z.output<typeof record>;

/** Milliseconds; a server that is at work answers in a few. */
const PATIENCE_MS = 2_000;

/** A file for each server, by its process: several run on one data directory, and any of them may end first. */
const folderOf = (dataDir: string | undefined) => join(dataDirectory(dataDir), 'servers');
const fileOf = (dataDir: string | undefined) => join(folderOf(dataDir), `${process.pid}.json`);

/** Remembers the server of this process; the latest of several that run is found. What killed ones have left goes. */
export function rememberServer(url: string, dataDir?: string): void {
  makeFolder(folderOf(dataDir));
  liveRecords(folderOf(dataDir));
  writePrivateFile(fileOf(dataDir), JSON.stringify({ at: Date.now(), pid: process.pid, url }));
}

export const forgetServer = (dataDir?: string): void => rmSync(fileOf(dataDir), { force: true });

/** The address, token included, of a server that runs; null where there is none. */
export async function runningServer(dataDir?: string): Promise<string | null> {
  for (const { url } of liveRecords(folderOf(dataDir))) if (await answers(url)) return url;
  return null;
}

/** True if the server at this address knows its token. Another program can have the port of a server that was killed. */
async function answers(url: string): Promise<boolean> {
  const { origin, searchParams } = new URL(url);
  try {
    const { status } = await fetch(new URL(ENGINE_PATH, origin), {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${searchParams.get('token')}` },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return status === 204;
  } catch {
    // No server answers there.
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
    // The note is missing or damaged.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}
