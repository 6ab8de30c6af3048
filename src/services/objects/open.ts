/** Opens object storage by an address from the user. */
import { isAbsolute, resolve } from 'node:path';
import { Semaphore } from '../../base/semaphore.ts';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { FolderProcess } from './folder-process.ts';
import { GuardedObjects } from './guarded-objects.ts';
import type { ObjectStore } from './objects.ts';
import type { S3Location } from './s3-objects.ts';
import { WebObjects } from './web-objects.ts';

/**
 * Limit of concurrent folder calls in the desktop app, which cannot start Node for `FolderProcess`. Two of its four threads for file
 * access may be stuck in folders that do not answer. The app kills the engine's process, so stuck threads do not prevent its exit.
 */
const DESKTOP_CALLS = new Semaphore(2);

const EXAMPLES = 'Give a folder, s3://bucket/prefix, or https://host/path.';

/**
 * Opens object storage by its address, without checking that it exists. The address is a folder, `https://host/path`, or
 * `s3://bucket/prefix?endpoint=https://host&region=name`, whose query is optional.
 * @param options.expected true if reading from a missing folder is an error; otherwise it counts as empty
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
  // An unset variable gives an empty address, which must not mean the current folder.
  if (address.trim() === '') throw badInput('The address is empty.', EXAMPLES);
  if (isFolder(address)) {
    const folder = makeAbsoluteAddress(address);
    if (process.versions.electron === undefined) return new FolderProcess(folder, options);
    const { FolderObjects } = await import('./folder-objects.ts');
    return new FolderObjects(folder, { ...options, slots: DESKTOP_CALLS });
  }
  const url = URL.parse(address);
  if (!url) throw createAddressError(address, 'is not a valid address');
  if (url.username || url.password)
    throw createAddressError(
      `${url.protocol}//…`,
      'contains a password',
      'Remove the password from the address.',
    );
  if (url.protocol === 's3:') {
    // Loaded only here, because the library is large.
    const { S3Objects } = await import('./s3-objects.ts');
    return new S3Objects(parseS3Location(url));
  }
  if (url.protocol !== 'https:' && !isLocal(url))
    throw createAddressError(address, 'is neither s3:// nor https://');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return new WebObjects(new URL(url.pathname, url));
}

/** Returns an address that means the same in any current folder. */
export function makeAbsoluteAddress(address: string): string {
  return isFolder(address) ? resolve(address) : address;
}

/** Returns true for a path. On Windows, a drive letter looks like a scheme. */
const isFolder = (address: string) => isAbsolute(address) || !/^[a-z][a-z0-9+.-]+:/i.test(address);

function parseS3Location(url: URL): S3Location {
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw createAddressError(url.href, 'does not name a valid bucket');
  const path = url.pathname.split('/').filter(Boolean);
  if (!path.every((part) => /^[\w.=-]+$/.test(part) && !/^\.+$/.test(part)))
    throw createAddressError(
      url.href,
      'has an invalid prefix: only letters, digits, “-”, “_”, “.” and “=” are allowed',
    );
  const endpoint = url.searchParams.get('endpoint');
  const server = endpoint === null ? null : URL.parse(endpoint);
  if (endpoint !== null && !(server && (server.protocol === 'https:' || isLocal(server))))
    throw createAddressError(url.href, 'has an endpoint that does not start with https://');
  return {
    bucket,
    prefix: path.map((part) => `${part}/`).join(''),
    endpoint,
    region: url.searchParams.get('region'),
  };
}

const isLocal = ({ protocol, hostname }: URL) => protocol === 'http:' && isLoopback(hostname);

function createAddressError(address: string, what: string, remedy = EXAMPLES): LocusError {
  return badInput(`${address} ${what}.`, remedy);
}
