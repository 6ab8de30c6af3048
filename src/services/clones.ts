/** Clones repositories that a person names by URL into the data directory: bare, without running anything of them. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '../base/file-lock.ts';
import { createFolder, protectFolder } from '../base/private.ts';
import { formatFailure, isCancelled, LocusError } from '../shared/errors.ts';
import type { CloneProgress } from '../shared/fleet.ts';
import { quoteText } from '../shared/quote.ts';
import { createSizeError, fetchWithinLimits, measureFolder } from './clone-fetch.ts';
import { type CloneHistory, fetchHistory, readCloneHistory, readDepth } from './clone-history.ts';
import type { CloneAddress } from './clone-url.ts';
import { readFetched } from './fleet/clone.ts';
import { runRemoteGit } from './fleet/remote-git.ts';

const CLONES_FOLDER = 'clones';
const FETCH_MS = 10 * 60_000;
const CONFIG_MS = 60_000;
const MAX_WAIT_MS = FETCH_MS;
/** Milliseconds to wait for a process that updates the clone, which may be fetching past commits for minutes. */
const UPDATE_WAIT_MS = 2_000;
const REUSED = 'The commit that was fetched last is searched.';
/** Maximum size of a clone. One commit of the largest public repositories takes less. */
const MAX_CLONE_BYTES = 2 * 1024 ** 3;

export interface CloneOptions {
  dataDirectory: string;
  /** Asks the person before the first fetch. Throws if the answer is no. */
  agree: () => Promise<void>;
  onNote: (note: string) => void;
  /** True to fetch past commits that are missing. Those that were fetched before stay in any case. */
  history?: boolean | undefined;
  /** Maximum size in bytes; 2 GiB by default. */
  maxBytes?: number;
  /** Milliseconds of silence after which a fetch ends; two minutes by default. */
  silenceMs?: number;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: CloneProgress) => void;
}

export interface Clone {
  folder: string;
  /** Newest commit of the default branch. */
  commit: string;
  history: CloneHistory;
}

/**
 * Fetches the newest commit of a repository into its clone, which is created if it is missing, and its history if it is wanted. If the
 * clone exists and the host cannot be reached, the commit that was fetched last is used, and a note says so. If past commits cannot
 * be fetched, a note says so too.
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
      waitMs: known === null ? MAX_WAIT_MS : UPDATE_WAIT_MS,
      signal: options.signal,
      work: 'Fetching the repository',
    };
    let commit = known;
    if (await lock.waitAndAcquire(waiting)) commit = await fetchOrReuse(folder, address, options);
    else options.onNote(`Another Locus process is fetching commits. ${REUSED}`);
    if (commit === null) throw createBusyError(address);
    return { folder, commit, history: await readCloneHistory(folder, commit) };
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
  const maxBytes = options.maxBytes ?? MAX_CLONE_BYTES;
  let commit: string;
  try {
    commit = await fetchNewest(folder, address, known !== null, { ...options, maxBytes });
  } catch (error) {
    const left = known === null ? null : await readFetched(folder);
    if (left === null || !(error instanceof LocusError) || isCancelled(error)) {
      if (known === null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      throw error;
    }
    options.onNote(`${formatFailure(error)} ${REUSED}`);
    return left;
  }
  if (options.history) {
    const problem = await fetchHistory(folder, address, commit, { ...options, maxBytes });
    if (problem !== null) options.onNote(`Past commits are missing. ${problem}`);
  }
  return commit;
}

async function fetchNewest(
  folder: string,
  address: CloneAddress,
  exists: boolean,
  { maxBytes, silenceMs, signal, onProgress }: CloneOptions & { maxBytes: number },
): Promise<string> {
  const depth = exists ? await readDepth(folder) : 1;
  const limits = { maxBytes, timeoutMs: FETCH_MS, silenceMs, signal };
  const fetch = { ref: 'HEAD', depth, ...limits, ...(onProgress && { onProgress }) };
  const commit = await fetchWithinLimits(folder, address, fetch);
  if (!exists && measureFolder(folder) > maxBytes) throw createSizeError(address.url, maxBytes);
  // For permalinks, and for indexes of other clones.
  const local = { timeoutMs: CONFIG_MS, signal };
  await runRemoteGit(folder, ['config', 'remote.origin.url', address.url], local);
  return commit;
}

const createBusyError = ({ url }: CloneAddress): LocusError =>
  new LocusError(
    'busy',
    `Another Locus process has been cloning ${quoteText(url)} for a long time.`,
    'Wait until it has finished, or stop it and try again.',
  );
