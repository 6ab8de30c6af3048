/** Downloads large files of known content, which can be continued after an interruption. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { isRedirect } from '../../base/http.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { doublingDelays, retry } from '../../base/retry.ts';
import { runUnlessStalled } from '../../base/stalled-transfer.ts';
import { explainWriteError } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { VERSION } from '../../shared/version.ts';
import { assertSpace } from './space.ts';

/** Digest of a file's content. */
export interface Digest {
  algorithm: 'sha256' | 'sha512';
  /** In hexadecimal digits. */
  value: string;
}

export interface DownloadOptions {
  url: URL;
  /** Path of the file. It holds the beginning of the content until the download is complete. */
  path: string;
  digest: Digest;
  maxBytes: number;
  signal: AbortSignal;
  /** Called with the number of bytes that are there, and of all bytes if the server says it. */
  onProgress?: (bytes: number, total: number | null) => void;
  /** Milliseconds before the first retry. */
  backoffMs?: number;
}

const MAX_REDIRECTS = 5;
const ATTEMPTS = 3;
const BACKOFF_MS = 1000;

/** A transfer that may succeed when it is tried again. */
class Interrupted extends Error {}

/**
 * Downloads a file, or the rest of one whose download was interrupted.
 * @throws LocusError `not-fetched` if the server does not send it, or sends something else; `bad-output` if the disk is full;
 *   `bad-input` for an address that is not https; `cancelled`
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { url, path, digest, signal, backoffMs = BACKOFF_MS } = options;
  assertEncrypted(url);
  try {
    await retry(() => transfer(options), {
      attempts: ATTEMPTS,
      delays: doublingDelays(backoffMs),
      signal,
      name: 'The download',
      shouldRetry: (error) => error instanceof Interrupted,
    });
  } catch (error) {
    if (error instanceof Interrupted)
      throw notFetched(
        `The download from ${url.host} was interrupted: ${error.message}.`,
        'Check the network, and start it again to continue.',
      );
    throw error;
  }
  const found = await hashFile(path, digest.algorithm, signal);
  if (found === digest.value) return;
  await rm(path, { force: true });
  throw notFetched(
    `The file from ${url.host} has the ${digest.algorithm} ${found}, not ${digest.value}.`,
    'Check the address and the digest. The file was removed.',
  );
}

async function transfer({ url, path, maxBytes, signal, onProgress }: DownloadOptions) {
  const before = (await stat(path).catch(() => null))?.size ?? 0;
  await using file = await openForWriting(path);
  await runUnlessStalled(
    { source: url.host, code: 'not-fetched', signal },
    async (stop, addBytes) => {
      const response = await request(url, before, stop);
      // The whole file is there, or more: the digest decides.
      if (response.status === 416) return response.body?.cancel();
      let at = response.status === 206 ? before : 0;
      await file.truncate(at);
      const total = readTotal(response, at);
      if ((total ?? 0) > maxBytes) throw createTooLargeError(url, maxBytes);
      if (total !== null) await assertSpace(path, total - at);
      for await (const part of readBody(response)) {
        addBytes(part.length);
        if (at + part.length > maxBytes) throw createTooLargeError(url, maxBytes);
        await write(file, path, part, at);
        at += part.length;
        onProgress?.(at, total);
      }
      if (total !== null && at < total) throw new Interrupted('it ended early');
    },
  );
}

async function openForWriting(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+').catch(() => open(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    throw explainWriteError(error, path);
  }
}

async function write(file: FileHandle, path: string, part: Uint8Array, at: number): Promise<void> {
  try {
    await file.write(part, 0, part.length, at);
  } catch (error) {
    throw explainWriteError(error, path);
  }
}

/** Requests a file from an offset on. Follows redirects to encrypted addresses. */
async function request(url: URL, offset: number, signal: AbortSignal): Promise<Response> {
  let target = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(target, {
      redirect: 'manual',
      signal,
      headers: {
        'user-agent': `locus/${VERSION}`,
        'accept-encoding': 'identity',
        ...(offset > 0 && { range: `bytes=${offset}-` }),
      },
    }).catch((error: Error) => {
      if (signal.aborted) throw error;
      throw new Interrupted(describeCause(error));
    });
    if (!isRedirect(response)) return checkStatus(response, target);
    await response.body?.cancel();
    target = new URL(response.headers.get('location') ?? '', target);
    assertEncrypted(target, url);
  }
  throw notFetched(`${url.host} redirects too often.`, 'Check the address.');
}

function checkStatus(response: Response, { host }: URL): Response {
  const { status } = response;
  if (status === 200 || status === 206 || status === 416) return response;
  if (status === 429 || status >= 500) throw new Interrupted(`status ${status}`);
  throw notFetched(
    `${host} does not send the file (status ${status}).`,
    status === 401 || status === 403
      ? 'Download it with your browser, and add the file.'
      : 'Check the address.',
  );
}

async function* readBody(response: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw new Interrupted(describeCause(error as Error));
  }
}

function readTotal(response: Response, offset: number): number | null {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? offset + length : null;
}

const describeCause = ({ cause, message }: Error): string =>
  (cause as { code?: string } | undefined)?.code ?? message;

/** Returns the digest of a file, in hexadecimal digits. */
export async function hashFile(
  path: string,
  algorithm: Digest['algorithm'],
  signal?: AbortSignal,
): Promise<string> {
  const hash: Hash = createHash(algorithm);
  for await (const part of createReadStream(path, { signal, highWaterMark: 2 ** 20 }))
    hash.update(part);
  return hash.digest('hex');
}

/** @throws LocusError `bad-input` if somebody on the way could read or change what is fetched */
function assertEncrypted(url: URL, from?: URL): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw from
    ? notFetched(
        `${from.host} redirects to ${url.protocol}//${url.host}, which is not encrypted.`,
        'Use an address that stays encrypted.',
      )
    : badInput(`${url.href} is not an https:// address.`, 'Use an https:// address.');
}

const createTooLargeError = ({ host }: URL, maxBytes: number): LocusError =>
  notFetched(`The file from ${host} has more than ${maxBytes} bytes.`, 'Check the address.');

const notFetched = (message: string, remedy: string): LocusError =>
  new LocusError('not-fetched', message, remedy);
