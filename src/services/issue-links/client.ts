/** One request to a forge that is not trusted: it may be slow, endless, broken, or send elsewhere. */
import { throwIfCancelled } from '../../base/cancel.ts';
import { isRedirect, parseJsonOrNull, readAtMost, saysJson } from '../../base/http.ts';
import { VERSION } from '../../shared/version.ts';
import { connectionFailure, fetchFailure } from './failures.ts';

/** What one fetched issue may take, all requests together, and how large an answer may be. */
const FETCH_MS = 10_000;
const MAX_ANSWER_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;

export interface Answer {
  status: number;
  headers: Headers;
  /** Null if the answer is not JSON, or does not say that it is. */
  json: unknown;
}

export interface ClientOptions {
  signal?: AbortSignal | undefined;
  /** Of all requests together. */
  milliseconds?: number | undefined;
  /** Redirects to follow in a row, 3 by default; at 0, a redirect is an answer like any other. */
  maxRedirects?: number | undefined;
}

export class ForgeClient {
  readonly #signal: AbortSignal | undefined;
  readonly #timeout: AbortSignal;
  readonly #milliseconds: number;
  readonly #maxRedirects: number;

  constructor({ signal, milliseconds = FETCH_MS, maxRedirects = MAX_REDIRECTS }: ClientOptions) {
    this.#signal = signal;
    this.#milliseconds = milliseconds;
    this.#maxRedirects = maxRedirects;
    this.#timeout = AbortSignal.timeout(milliseconds);
  }

  /**
   * What is answered at an address, whatever its status. Redirects are followed at the same scheme, host and port, which is where
   * projects that were renamed are; the headers, and a token among them, go nowhere else.
   *
   * @throws LocusError `not-fetched` when there is no answer, or none that may be read; `cancelled`.
   */
  async get(address: string, headers: Record<string, string>): Promise<Answer> {
    let url = new URL(address);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#inTime(url, (signal) =>
        fetch(url, {
          redirect: 'manual',
          headers: { ...headers, 'user-agent': `locus/${VERSION}` },
          signal,
        }),
      );
      const location = isRedirect(response) ? response.headers.get('location') : null;
      if (location === null || this.#maxRedirects === 0) return this.#read(response, url);
      // The connection is gone already.
      await response.body?.cancel().catch(() => {});
      if (redirects === this.#maxRedirects) {
        throw fetchFailure(`${url.host} redirects more than ${redirects} times`);
      }
      url = sameOrigin(location, url);
    }
  }

  async #read(response: Response, url: URL): Promise<Answer> {
    const text = await this.#inTime(url, () => readAtMost(response, MAX_ANSWER_BYTES));
    if (text === null) {
      throw fetchFailure(`the answer of ${url.host} is larger than ${MAX_ANSWER_BYTES / 1e6} MB`);
    }
    const { status, headers } = response;
    return { status, headers, json: saysJson(headers) ? parseJsonOrNull(text) : null };
  }

  async #inTime<T>(url: URL, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signals = [this.#timeout, ...(this.#signal ? [this.#signal] : [])];
    try {
      return await work(AbortSignal.any(signals));
    } catch (error) {
      throwIfCancelled(this.#signal, 'Fetching the issue');
      if (this.#timeout.aborted) {
        throw fetchFailure(`${url.host} did not answer within ${this.#milliseconds / 1000} s`);
      }
      throw connectionFailure(error, url);
    }
  }
}

/** Where a redirect leads, if that is the same place: what is meant for a host is sent to no other, private ones least of all. */
function sameOrigin(location: string, from: URL): URL {
  const to = URL.parse(location, from.href);
  if (to?.origin === from.origin && !to.username && !to.password) return to;
  throw fetchFailure(
    `${from.host} redirects to another host, which is not followed`,
    'open the link in a browser and give the one that it ends at',
  );
}
