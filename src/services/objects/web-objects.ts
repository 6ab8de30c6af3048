/** Objects that a web server gives out: they can be read, one by one. */
import { badInput, LocusError } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import {
  checkedKey,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  objectFailure,
  repeatTransfer,
  type StoredObject,
  tooLarge,
} from './objects.ts';

export class WebObjects implements ObjectStore {
  readonly name: string;
  readonly #base: URL;

  /** @param base an address that ends in a slash. */
  constructor(base: URL) {
    this.#base = base;
    this.name = base.href;
  }

  async get(key: string, options: GetOptions = {}): Promise<StoredObject | null> {
    const url = new URL(checkedKey(key), this.#base);
    try {
      return await repeatTransfer(options.signal, () => this.#read(url, key, options));
    } catch (error) {
      throw error instanceof LocusError ? error : unreachable(url, error);
    }
  }

  async #read(
    url: URL,
    key: string,
    { maxBytes = MAX_OBJECT_BYTES, signal, onBytes }: GetOptions,
  ): Promise<StoredObject | null> {
    const response = await fetch(url, {
      // What was set up is asked, and nobody else.
      redirect: 'manual',
      headers: { 'user-agent': `locus/${VERSION}`, 'cache-control': 'no-cache' },
      ...(signal && { signal }),
    });
    if (response.status !== 200) {
      // The connection is gone already.
      await response.body?.cancel().catch(() => {});
      if (response.status === 404) return null;
      if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`);
      throw refused(url, response.status);
    }
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      onBytes?.(part.length);
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw tooLarge(this.name, key, maxBytes);
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
    return badInput(
      `${this.name} can only be read`,
      'write to the folder or the bucket that it gives out',
    );
  }
}

function refused({ host }: URL, status: number): LocusError {
  if (status >= 300 && status < 400) {
    return objectFailure(
      `${host} redirects elsewhere, which is not followed`,
      'give the address that it redirects to, if you trust it',
    );
  }
  return objectFailure(
    `${host} does not give its objects (${status})`,
    status === 401 || status === 403
      ? 'let this machine read them, or give the bucket by s3:// with credentials'
      : 'check the address',
  );
}

function unreachable({ host }: URL, error: unknown): LocusError {
  const { message, cause } = error as { message: string; cause?: { code?: string } };
  const why = cause?.code ?? (/^\d{3}$/.test(message) ? message : '');
  return objectFailure(
    `${host} cannot be read${why ? ` (${why})` : ''}`,
    'check the address and the network and try again',
    error,
  );
}
