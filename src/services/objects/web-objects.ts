/** Read-only objects on a web server. */
import { badInput, LocusError } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import {
  checkKey,
  createObjectError,
  createTooLargeError,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  retryTransfer,
  type StoredObject,
} from './objects.ts';

export class WebObjects implements ObjectStore {
  readonly name: string;
  readonly #base: URL;

  /** @param base URL with a trailing slash */
  constructor(base: URL) {
    this.#base = base;
    this.name = base.href;
  }

  async get(key: string, options: GetOptions = {}): Promise<StoredObject | null> {
    const url = new URL(checkKey(key), this.#base);
    try {
      return await retryTransfer(options.signal, () => this.#read(url, key, options));
    } catch (error) {
      throw error instanceof LocusError ? error : createUnreachableError(url, error);
    }
  }

  async #read(
    url: URL,
    key: string,
    { maxBytes = MAX_OBJECT_BYTES, signal, onBytes }: GetOptions,
  ): Promise<StoredObject | null> {
    const response = await fetch(url, {
      // Only the given server may be contacted.
      redirect: 'manual',
      headers: { 'user-agent': `locus/${VERSION}`, 'cache-control': 'no-cache' },
      ...(signal && { signal }),
    });
    if (response.status !== 200) {
      // The connection may be closed already.
      await response.body?.cancel().catch(() => {});
      if (response.status === 404) return null;
      if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`);
      throw createRefusedError(url, response.status);
    }
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      onBytes?.(part.length);
      // Throwing inside the loop closes the connection.
      if (bytes > maxBytes) throw createTooLargeError(this.name, key, maxBytes);
      parts.push(part);
    }
    return { bytes: Buffer.concat(parts), tag: response.headers.get('etag') ?? '' };
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return (await this.get(key, { signal }))?.bytes.length ?? null;
  }

  async put(): Promise<never> {
    throw this.#readOnly();
  }

  async delete(): Promise<never> {
    throw this.#readOnly();
  }

  close(): void {}

  #readOnly(): LocusError {
    return badInput(`${this.name} is read-only.`, 'Write to the folder or bucket behind it.');
  }
}

function createRefusedError({ host }: URL, status: number): LocusError {
  if (status >= 300 && status < 400) {
    return createObjectError(
      `${host} redirects to another address, which Locus does not follow.`,
      'If you trust the new address, use it instead.',
    );
  }
  return createObjectError(
    `${host} does not serve the objects (status ${status}).`,
    status === 401 || status === 403
      ? 'Give this machine read access, or give the bucket as s3://… with credentials.'
      : 'Check the address.',
  );
}

function createUnreachableError({ host }: URL, error: unknown): LocusError {
  const { message, cause } = error as { message: string; cause?: { code?: string } };
  const why = cause?.code ?? (/^\d{3}$/.test(message) ? message : '');
  return createObjectError(
    `${host} cannot be read${why ? ` (${why})` : ''}.`,
    'Check the address and the network, then try again.',
    error,
  );
}
