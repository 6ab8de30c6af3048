/** Where objects are, by an address that a person gives. */
import { isAbsolute, resolve } from 'node:path';
import { Semaphore } from '../../base/semaphore.ts';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { FolderProcess } from './folder-process.ts';
import { GuardedObjects } from './guarded-objects.ts';
import type { ObjectStore } from './objects.ts';
import type { S3Place } from './s3-objects.ts';
import { WebObjects } from './web-objects.ts';

/**
 * The desktop app cannot start Node for `FolderProcess`. Of its four threads for all file access, two may be stuck in folders that do
 * not answer. The app ends the engine's process, so that a stuck thread keeps nothing from exiting.
 */
const DESKTOP_TURNS = new Semaphore(2);

const EXAMPLES = 'give a folder, s3://bucket/prefix, or https://host/path';

/**
 * Opens what an address names, without a look at whether it is there. It is a folder, `https://host/path`, or
 * `s3://bucket/prefix?endpoint=https://host&region=name`, of which the query may be left out.
 * @param options.expected whether a folder that is not there is a failure, once something is read of it; else it has nothing yet
 * @throws LocusError `bad-input`
 */
export async function openObjects(
  address: string,
  options: { expected?: boolean } = {},
): Promise<ObjectStore> {
  return new GuardedObjects(await openUnguarded(address, options));
}

async function openUnguarded(
  address: string,
  options: { expected?: boolean },
): Promise<ObjectStore> {
  // A variable makes one that is not set; taken for the folder that one is in, it would be written to.
  if (address.trim() === '') throw badInput('an empty address names no place', EXAMPLES);
  if (isFolder(address)) {
    const folder = settled(address);
    if (process.versions.electron === undefined) return new FolderProcess(folder, options);
    const { FolderObjects } = await import('./folder-objects.ts');
    return new FolderObjects(folder, { ...options, turns: DESKTOP_TURNS });
  }
  const url = URL.parse(address);
  if (!url) throw badAddress(address, 'is no address');
  if (url.username || url.password)
    throw badAddress(`${url.protocol}//…`, 'has a password in it', 'leave it out');
  if (url.protocol === 's3:') {
    // It is large: who needs it loads it.
    const { S3Objects } = await import('./s3-objects.ts');
    return new S3Objects(placeOf(url));
  }
  if (url.protocol !== 'https:' && !isLocal(url))
    throw badAddress(address, 'is neither s3:// nor https://');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return new WebObjects(new URL(url.pathname, url));
}

/** The address as it means the same from any folder. */
export function settled(address: string): string {
  return isFolder(address) ? resolve(address) : address;
}

/** Windows has letters for drives, which look like schemes. */
const isFolder = (address: string) => isAbsolute(address) || !/^[a-z][a-z0-9+.-]+:/i.test(address);

function placeOf(url: URL): S3Place {
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw badAddress(url.href, 'names no bucket');
  const path = url.pathname.split('/').filter(Boolean);
  if (!path.every((part) => /^[\w.=-]+$/.test(part) && !/^\.+$/.test(part)))
    throw badAddress(url.href, 'has a prefix of other than letters, digits, “-”, “_”, “.” and “=”');
  const endpoint = url.searchParams.get('endpoint');
  const server = endpoint === null ? null : URL.parse(endpoint);
  if (endpoint !== null && !(server && (server.protocol === 'https:' || isLocal(server))))
    throw badAddress(url.href, 'has an endpoint that is not https://');
  return {
    bucket,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint,
    region: url.searchParams.get('region'),
  };
}

const isLocal = ({ protocol, hostname }: URL) => protocol === 'http:' && isLoopback(hostname);

function badAddress(address: string, what: string, remedy = EXAMPLES): LocusError {
  return badInput(`${address} ${what}`, remedy);
}
