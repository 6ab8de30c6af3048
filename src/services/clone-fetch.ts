/** Fetches commits into a clone that Locus made, within limits on size, time and silence. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval, setTimeout } from 'node:timers';
import { LocusError } from '../shared/errors.ts';
import type { CloneProgress } from '../shared/fleet.ts';
import { quoteText } from '../shared/quote.ts';
import type { CloneAddress } from './clone-url.ts';
import { fetchInto } from './fleet/clone.ts';
import { createProgressReader } from './fleet/clone-repository.ts';

const SIZE_CHECK_MS = 500;
const MINUTE = 60_000;
/** Silence after which a host counts as hung. While a server prepares a pack, it reports its progress. */
const SILENCE_MS = 2 * MINUTE;
/** No program may be asked for credentials. */
const SETTINGS = { 'credential.helper': '', 'core.askPass': '' };

export interface CloneFetch {
  /** Ref or commit id at the host. */
  ref: string;
  /** See `fetchInto`. */
  depth: number;
  filter?: string;
  /** Maximum size of the clone in bytes. */
  maxBytes: number;
  /** Maximum time in milliseconds. */
  timeoutMs: number;
  /** Milliseconds; two minutes by default. */
  silenceMs?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: CloneProgress) => void;
}

/**
 * Fetches a commit with its history up to a depth. What was fetched before stays if this fails.
 * @returns the commit's id
 * @throws LocusError `bad-repository` if fetching fails or reaches a limit; `cancelled`
 */
export async function fetchWithinLimits(
  folder: string,
  { url, protocol, host }: CloneAddress,
  { ref, depth, filter, ...options }: CloneFetch,
): Promise<string> {
  const { maxBytes, timeoutMs, silenceMs = SILENCE_MS, signal, onProgress } = options;
  const limit = new AbortController();
  const size = setInterval(() => {
    if (measureFolder(folder) > maxBytes) limit.abort(createSizeError(url, maxBytes));
  }, SIZE_CHECK_MS);
  const time = setTimeout(() => limit.abort(createTimeError(url)), timeoutMs);
  const silence = setTimeout(
    () => limit.abort(createSilenceError(host ?? quoteText(url), silenceMs)),
    silenceMs,
  );
  const readProgress = createProgressReader(onProgress ?? (() => {}));
  try {
    return await fetchInto(folder, ref, {
      url,
      depth,
      ...(filter && { filter }),
      protocols: protocol,
      settings: { ...SETTINGS, ...(protocol === 'file' && { 'protocol.file.allow': 'always' }) },
      timeoutMs: timeoutMs + MINUTE,
      signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
      onOutput: (text) => {
        silence.refresh();
        readProgress(text);
      },
    });
  } catch (error) {
    throw limit.signal.aborted && !signal?.aborted ? limit.signal.reason : error;
  } finally {
    clearInterval(size);
    clearTimeout(time);
    clearTimeout(silence);
  }
}

/** Returns the size of all files in a folder, in bytes. Files that disappear meanwhile count as empty. */
export function measureFolder(folder: string): number {
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

/** Returns the error for a clone that is or would become too large. */
export const createSizeError = (url: string, maxBytes: number): LocusError =>
  new LocusError(
    'bad-repository',
    `${quoteText(url)} is larger than ${Math.round(maxBytes / 2 ** 20)} MiB, the maximum for a clone.`,
    'Clone it yourself, and search its folder.',
  );

const createTimeError = (url: string): LocusError =>
  new LocusError(
    'bad-repository',
    `Fetching ${quoteText(url)} took too long.`,
    'Try again, or clone it yourself and search its folder.',
  );

const createSilenceError = (host: string, silenceMs: number): LocusError =>
  new LocusError(
    'bad-repository',
    `${host} sent nothing for ${Math.round(silenceMs / 1000)} seconds.`,
    'Check the network and the address, then try again.',
  );
