/** Clones repositories that a person names by URL into the data directory: bare, one commit, without running anything of them. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { throwIfCancelled } from '../base/cancel.ts';
import { FileLock } from '../base/file-lock.ts';
import { createFolder, protectFolder } from '../base/private.ts';
import { formatFailure, isCancelled, LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';
import type { CloneAddress } from './clone-url.ts';
import { fetchInto, readFetched } from './fleet/clone.ts';
import { runRemoteGit } from './fleet/remote-git.ts';

const CLONES_FOLDER = 'clones';
const FETCH_MS = 10 * 60_000;
const CONFIG_MS = 60_000;
const MAX_WAIT_MS = FETCH_MS;
/** Maximum size of a clone. One commit of the largest public repositories takes less. */
const MAX_CLONE_BYTES = 2 * 1024 ** 3;
const SIZE_CHECK_MS = 500;
/** No program may be asked for credentials, and nothing is fetched besides the commit. */
const SETTINGS = { 'credential.helper': '', 'core.askPass': '' };

export interface CloneOptions {
  dataDirectory: string;
  /** Asks the person before the first fetch. Throws if the answer is no. */
  agree: () => Promise<void>;
  onNote: (note: string) => void;
  /** Maximum size in bytes; 2 GiB by default. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

export interface Clone {
  folder: string;
  /** Newest commit of the default branch. */
  commit: string;
}

/**
 * Fetches the newest commit of a repository into its clone, which is created if it is missing. If it exists and the host cannot be
 * reached, the commit that was fetched last is used, and a note says so.
 * @throws LocusError what `agree` throws; `bad-repository` if fetching fails or the clone is too large; `busy`, `cancelled`
 */
export async function updateClone(address: CloneAddress, options: CloneOptions): Promise<Clone> {
  const parent = join(options.dataDirectory, CLONES_FOLDER);
  const digest = createHash('sha256').update(`${address.protocol}\0${address.key}`).digest('hex');
  const folder = join(parent, `${address.name}-${digest.slice(0, 12)}`);
  const known = await readFetched(folder);
  if (known === null) await options.agree();
  createFolder(parent);
  protectFolder(parent);
  const lock = new FileLock(`${folder}.lock`);
  try {
    const waiting = {
      waitMs: MAX_WAIT_MS,
      signal: options.signal,
      work: 'Fetching the repository',
    };
    if (!(await lock.waitAndAcquire(waiting))) throw createBusyError(address);
    return { folder, commit: await fetchOrReuse(folder, address, options) };
  } finally {
    lock.close();
  }
}

async function fetchOrReuse(
  folder: string,
  address: CloneAddress,
  options: CloneOptions,
): Promise<string> {
  const known = await readFetched(folder);
  try {
    return await fetchWithinLimits(folder, address, options);
  } catch (error) {
    const left = known === null ? null : await readFetched(folder);
    if (left === null || !(error instanceof LocusError) || isCancelled(error)) {
      if (known === null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      throw error;
    }
    options.onNote(`${formatFailure(error)} The commit that was fetched last is searched.`);
    return left;
  }
}

async function fetchWithinLimits(
  folder: string,
  { url, protocol }: CloneAddress,
  { signal, maxBytes = MAX_CLONE_BYTES }: CloneOptions,
): Promise<string> {
  const tooLarge = new AbortController();
  const check = setInterval(() => {
    if (measure(folder) > maxBytes) tooLarge.abort();
  }, SIZE_CHECK_MS);
  try {
    const signals = [tooLarge.signal, ...(signal ? [signal] : [])];
    const call = {
      url,
      protocols: protocol,
      settings: { ...SETTINGS, ...(protocol === 'file' && { 'protocol.file.allow': 'always' }) },
      timeoutMs: FETCH_MS,
      signal: AbortSignal.any(signals),
    };
    const commit = await fetchInto(folder, 'HEAD', call);
    if (measure(folder) > maxBytes) tooLarge.abort();
    throwIfCancelled(tooLarge.signal, 'Fetching the repository');
    // For permalinks, and for indexes of other clones.
    const local = { timeoutMs: CONFIG_MS, signal };
    await runRemoteGit(folder, ['config', 'remote.origin.url', url], local);
    return commit;
  } catch (error) {
    throw tooLarge.signal.aborted && !signal?.aborted
      ? createSizeError(folder, url, maxBytes)
      : error;
  } finally {
    clearInterval(check);
  }
}

/** Returns the size of all files in a folder, in bytes. Files that disappear meanwhile count as empty. */
function measure(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => {
        return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
      }, 0);
  } catch {
    // A folder disappeared while it was listed.
    return 0;
  }
}

/** Removes a clone that is too large, and returns the error to report. */
function createSizeError(folder: string, url: string, maxBytes: number): LocusError {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return new LocusError(
    'bad-repository',
    `${quoteText(url)} is larger than ${Math.round(maxBytes / 2 ** 20)} MiB, so it was not cloned.`,
    'Clone it yourself, and search its folder.',
  );
}

const createBusyError = ({ url }: CloneAddress): LocusError =>
  new LocusError(
    'busy',
    `Another Locus process has been cloning ${quoteText(url)} for a long time.`,
    'Wait until it has finished, or stop it and try again.',
  );
