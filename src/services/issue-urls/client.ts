/** Sends requests to a code host that is not trusted: it may be slow, endless or broken, or redirect elsewhere. */
import { throwIfCancelled } from '../../base/cancel.ts';
import { hasJsonType, isRedirect, parseJsonOrNull, readBoundedBody } from '../../base/http.ts';
import { VERSION } from '../../shared/version.ts';
import { createConnectionError, createFetchError } from './failures.ts';

/** Limits for fetching one issue: milliseconds for all requests together, and bytes of one answer. */
const FETCH_MS = 10_000;
const MAX_ANSWER_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;

export interface HostAnswer {
  status: number;
  headers: Headers;
  /** Null if the answer is not JSON, or is not labeled as JSON. */
  json: unknown;
}

export interface CodeHostClientOptions {
  signal?: AbortSignal | undefined;
  /** Limit in milliseconds for all requests together. */
  milliseconds?: number | undefined;
  /** Maximum number of redirects in a row, 3 by default. At 0, a redirect is an answer like any other. */
  maxRedirects?: number | undefined;
  /** Maximum number of bytes of an answer, 2 MB by default. */
  maxBytes?: number | undefined;
}

export class CodeHostClient {
  readonly #signal: AbortSignal | undefined;
  readonly #timeout: AbortSignal;
  readonly #milliseconds: number;
  readonly #maxRedirects: number;
  readonly #maxBytes: number;

  constructor({
    signal,
    milliseconds = FETCH_MS,
    maxRedirects = MAX_REDIRECTS,
    maxBytes = MAX_ANSWER_BYTES,
  }: CodeHostClientOptions) {
    this.#signal = signal;
    this.#milliseconds = milliseconds;
    this.#maxRedirects = maxRedirects;
    this.#maxBytes = maxBytes;
    this.#timeout = AbortSignal.timeout(milliseconds);
  }

  /**
   * Returns the answer at an address, whatever its status. Follows redirects to the same scheme, host and port, as for renamed
   * projects. The headers, which may include a token, are sent nowhere else.
   *
   * @throws LocusError `not-fetched` if there is no answer, or it cannot be read; `cancelled`
   */
  async get(address: string, headers: Record<string, string>): Promise<HostAnswer> {
    let url = new URL(address);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#request(url, { headers });
      const location = isRedirect(response) ? response.headers.get('location') : null;
      if (location === null || this.#maxRedirects === 0) return this.#read(response, url);
      // The connection may be closed already.
      await response.body?.cancel().catch(() => {});
      if (redirects === this.#maxRedirects) {
        throw createFetchError(`${url.host} redirects more than ${redirects} times.`);
      }
      url = sameOrigin(location, url);
    }
  }

  /** Sends JSON to an address. Returns the answer, whatever its status. Follows no redirect. @throws as `get` */
  async send(
    method: 'POST' | 'PATCH',
    address: string,
    headers: Record<string, string>,
    json: unknown,
  ): Promise<HostAnswer> {
    const url = new URL(address);
    const response = await this.#request(url, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    return this.#read(response, url);
  }

  #request(
    url: URL,
    { headers, ...init }: RequestInit & { headers: Record<string, string> },
  ): Promise<Response> {
    return this.#inTime(url, (signal) =>
      fetch(url, {
        ...init,
        redirect: 'manual',
        headers: { ...headers, 'user-agent': `locus/${VERSION}` },
        signal,
      }),
    );
  }

  async #read(response: Response, url: URL): Promise<HostAnswer> {
    const text = await this.#inTime(url, () => readBoundedBody(response, this.#maxBytes));
    if (text === null) {
      throw createFetchError(
        `The answer of ${url.host} is larger than ${this.#maxBytes / 1e6} MB.`,
      );
    }
    const { status, headers } = response;
    return { status, headers, json: hasJsonType(headers) ? parseJsonOrNull(text) : null };
  }

  async #inTime<T>(url: URL, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signals = [this.#timeout, ...(this.#signal ? [this.#signal] : [])];
    try {
      return await run(AbortSignal.any(signals));
    } catch (error) {
      throwIfCancelled(this.#signal, 'Fetching the issue');
      if (this.#timeout.aborted) {
        throw createFetchError(
          `${url.host} did not answer within ${this.#milliseconds / 1000} seconds.`,
        );
      }
      throw createConnectionError(error, url);
    }
  }
}

/** Resolves a redirect, which must stay at the same origin: a request for one host is never sent to another, least of all a private one. */
function sameOrigin(location: string, from: URL): URL {
  const to = URL.parse(location, from.href);
  if (to?.origin === from.origin && !to.username && !to.password) return to;
  throw createFetchError(
    `${from.host} redirects to another host, which Locus does not follow.`,
    'Open the link in a browser and use the address that it ends at',
  );
}
