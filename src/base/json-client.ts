/** Sends requests for JSON to a server that is not trusted: it may be slow, endless or broken, or redirect elsewhere. */
import { LocusError } from '../shared/errors.ts';
import { VERSION } from '../shared/version.ts';
import { throwIfCancelled } from './cancel.ts';
import { hasJsonType, isRedirect, parseJsonOrNull, readBoundedBody } from './http.ts';

/** Limits for one task: milliseconds for all requests together, and bytes of one answer. */
const FETCH_MS = 10_000;
const MAX_ANSWER_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;

export interface JsonAnswer {
  status: number;
  headers: Headers;
  /** Null if the answer is not JSON, or is not labeled as JSON. */
  json: unknown;
}

export interface RequestLimits {
  signal?: AbortSignal | undefined;
  /** Limit in milliseconds for all requests together. */
  milliseconds?: number | undefined;
  /** Maximum number of redirects in a row, 3 by default. At 0, a redirect is an answer like any other. */
  maxRedirects?: number | undefined;
  /** Maximum number of bytes of an answer, 2 MB by default. */
  maxBytes?: number | undefined;
}

export interface JsonClientOptions extends RequestLimits {
  /** The work as a sentence's subject, such as "Fetching the issue". */
  work: string;
  /** Creates an error. @param remedy a sentence without its full stop; undefined if only the caller knows one */
  createError(message: string, remedy?: string): LocusError;
}

export class JsonClient {
  readonly #work: string;
  readonly #createError: JsonClientOptions['createError'];
  readonly #signal: AbortSignal | undefined;
  readonly #timeout: AbortSignal;
  readonly #milliseconds: number;
  readonly #maxRedirects: number;
  readonly #maxBytes: number;

  constructor({
    work,
    createError,
    signal,
    milliseconds = FETCH_MS,
    maxRedirects = MAX_REDIRECTS,
    maxBytes = MAX_ANSWER_BYTES,
  }: JsonClientOptions) {
    this.#work = work;
    this.#createError = createError;
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
   * @throws LocusError from `createError` if there is no answer, or it cannot be read; `cancelled`
   */
  async get(address: string, headers: Record<string, string>): Promise<JsonAnswer> {
    let url = new URL(address);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#request(url, { headers });
      const location = isRedirect(response) ? response.headers.get('location') : null;
      if (location === null || this.#maxRedirects === 0) return this.#read(response, url);
      // The connection may be closed already.
      await response.body?.cancel().catch(() => {});
      if (redirects === this.#maxRedirects) {
        throw this.#createError(`${url.host} redirects more than ${redirects} times.`);
      }
      url = this.#resolveRedirect(location, url);
    }
  }

  /** Sends JSON to an address. Returns the answer, whatever its status. Follows no redirect. @throws as `get` */
  async send(
    method: 'POST' | 'PATCH',
    address: string,
    headers: Record<string, string>,
    json: unknown,
  ): Promise<JsonAnswer> {
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
        headers: { 'user-agent': `locus/${VERSION}`, ...headers },
        signal,
      }),
    );
  }

  async #read(response: Response, url: URL): Promise<JsonAnswer> {
    const text = await this.#inTime(url, () => readBoundedBody(response, this.#maxBytes));
    if (text === null) {
      throw this.#createError(
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
      throwIfCancelled(this.#signal, this.#work);
      if (this.#timeout.aborted) {
        throw this.#createError(
          `${url.host} did not answer within ${this.#milliseconds / 1000} seconds.`,
        );
      }
      throw error instanceof LocusError ? error : this.#explainConnection(error, url);
    }
  }

  /** Resolves a redirect, which must stay at the same origin: a request for one host is never sent to another, least of all a private one. */
  #resolveRedirect(location: string, from: URL): URL {
    const to = URL.parse(location, from.href);
    if (to?.origin === from.origin && !to.username && !to.password) return to;
    throw this.#createError(
      `${from.host} redirects to another host, which Locus does not follow.`,
      'Use the address that it redirects to, as a browser shows it',
    );
  }

  #explainConnection(error: unknown, { host }: URL): LocusError {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return this.#createError(
        `The host name ${host} is unknown, or the network is down.`,
        'Check the address and the network',
      );
    }
    if (code === 'ECONNREFUSED')
      return this.#createError(`Nothing answers at ${host}.`, 'Check the address');
    if (/CERT|SSL|TLS|SIGNATURE/.test(code)) {
      return this.#createError(
        `The certificate of ${host} is not trusted (${code}).`,
        'For your own host, name its certificate authority in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1',
      );
    }
    return this.#createError(
      `The connection to ${host} failed${code ? ` (${code})` : ''}.`,
      'Check the network; behind a proxy, set NODE_USE_ENV_PROXY=1 and HTTPS_PROXY',
    );
  }
}
