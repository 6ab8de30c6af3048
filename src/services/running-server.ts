/** Records the `locus serve` processes of a data directory, so that commands can use their windows. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createFolder } from '../base/private.ts';
import { writePrivateFile } from '../base/write-file.ts';
import { ENGINE_PATH } from '../shared/app-page.ts';
import { getDataDirectory } from './locations.ts';

const record = z.object({
  at: z.number(),
  pid: z.int().min(1),
  // The URL includes the token, so only the user may read the file.
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?token=[\w-]+$/),
});
type ServerRecord = z.output<typeof record>;

/** Milliseconds to wait for an answer. A healthy server answers within a few. */
const ANSWER_MS = 2_000;

/** One file for each server, named by process id: several servers can use one data directory and end in any order. */
const getServersFolder = (dataDir: string | undefined) =>
  join(getDataDirectory(dataDir), 'servers');
const getRecordPath = (dataDir: string | undefined) =>
  join(getServersFolder(dataDir), `${process.pid}.json`);

/** Records the server of this process, and removes the records of servers that were killed. */
export function recordServer(url: string, dataDir?: string): void {
  createFolder(getServersFolder(dataDir));
  listLiveRecords(getServersFolder(dataDir));
  writePrivateFile(
    getRecordPath(dataDir),
    JSON.stringify({ at: Date.now(), pid: process.pid, url }),
  );
}

export const removeServerRecord = (dataDir?: string): void =>
  rmSync(getRecordPath(dataDir), { force: true });

/** Returns the URL, with its token, of the server that started last; null if none is running. */
export async function findRunningServer(dataDir?: string): Promise<string | null> {
  for (const { url } of listLiveRecords(getServersFolder(dataDir)))
    if (await isAnswering(url)) return url;
  return null;
}

/** Returns true if a server with this token answers. Another program may have taken the port of a server that was killed. */
async function isAnswering(url: string): Promise<boolean> {
  const { origin, searchParams } = new URL(url);
  try {
    const { status } = await fetch(new URL(ENGINE_PATH, origin), {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${searchParams.get('token')}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return status === 204;
  } catch {
    // No server answers at this URL.
    return false;
  }
}

/** Lists the records of running servers, newest first. Removes the records of processes that have ended. */
function listLiveRecords(folder: string): ServerRecord[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => {
    const saved = readRecord(join(folder, name));
    if (saved === null || isAlive(saved.pid)) return saved ?? [];
    rmSync(join(folder, name), { force: true });
    return [];
  });
  return found.sort((a, b) => b.at - a.at);
}

function readRecord(path: string): ServerRecord | null {
  try {
    return record.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null;
  } catch {
    // The record is missing or damaged.
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
