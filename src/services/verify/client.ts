/** Chat completions over plain HTTP, from an endpoint that is not trusted: it may be slow, broken, or hostile. */

import { z } from 'zod';
import { parseJsonOrNull, readAtMost, retryAfterMs } from '../../base/http.ts';
import { doublingDelays, retry } from '../../base/retry.ts';
import { badInput } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import type { Endpoint, VerifierUse } from '../../shared/verifier.ts';

/** Reason why the endpoint failed, as people read it. It ends a verification, never a search. */
export class EndpointFailure extends Error {
  readonly remedy: string;
  /** Milliseconds to wait before it may be worth another try; null when it is not. */
  readonly retryAfter: number | null;
  /** True if the server objected to the form of the request. */
  readonly rejected: boolean;

  constructor(
    message: string,
    remedy: string,
    options: { retryAfter?: number | null; rejected?: boolean } = {},
  ) {
    super(message);
    this.name = 'EndpointFailure';
    this.remedy = remedy;
    this.retryAfter = options.retryAfter ?? null;
    this.rejected = options.rejected ?? false;
  }
}

export interface Message {
  role: 'system' | 'user';
  content: string;
}

/** Counts what was sent in one verification, and refuses what would be too much. */
export class Budget {
  readonly most: VerifierUse;
  readonly used: VerifierUse = { requests: 0, characters: 0 };

  readonly #onSpend: (used: VerifierUse) => void;

  /** @param onSpend told before each request of all that was sent, this one included. */
  constructor(most: VerifierUse, onSpend: (used: VerifierUse) => void) {
    this.most = most;
    this.#onSpend = onSpend;
  }

  allows(characters: number): boolean {
    const { used, most } = this;
    return used.requests < most.requests && used.characters + characters <= most.characters;
  }

  /** @throws EndpointFailure when it is used up. */
  spend(characters: number): void {
    if (!this.allows(characters)) {
      const { requests, characters: most } = this.most;
      throw new EndpointFailure(
        `the budget of ${requests} requests and ${grouped(most)} characters is used up`,
        'raise it in the settings of the verifier, or send fewer results',
      );
    }
    this.used.requests++;
    this.used.characters += characters;
    this.#onSpend({ ...this.used });
  }
}

export interface ClientOptions {
  endpoint: Endpoint;
  model: string;
  /** Sent to this endpoint and never to another; null for none. */
  key: string | null;
  budget: Budget;
  /** Of one request, its answer read to the end. */
  timeoutMs: number;
  /** Before the first repetition; doubled for the next. */
  backoffMs?: number;
}

/** Repetitions after 408, 429, 5xx and lost connections. */
const RETRIES = 2;
const LONGEST_WAIT_MS = 30_000;
const MAX_ANSWER_BYTES = 2_000_000;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

export class ChatClient {
  readonly #options: ClientOptions;
  /** Whether the server takes `response_format`; one that objected is not asked again. */
  #structured = true;

  constructor(options: ClientOptions) {
    const { key, endpoint } = options;
    if (key !== null && !endpoint.encrypted && !endpoint.loopback) {
      throw badInput(
        `the key for ${endpoint.host} would be sent without encryption`,
        'use an https:// address, or remove the key',
      );
    }
    this.#options = options;
  }

  /**
   * The model's answer as text. The first request asks for JSON by `schema`; a server that rejects that is asked without.
   *
   * @throws EndpointFailure with what went wrong, after repetitions where they may help.
   * @throws LocusError `cancelled` when the signal aborts.
   */
  async ask(messages: readonly Message[], schema: object, signal: AbortSignal): Promise<string> {
    const structured = this.#structured;
    try {
      return await this.#repeat(messages, structured ? schema : null, signal);
    } catch (error) {
      if (!structured || !(error instanceof EndpointFailure) || !error.rejected) throw error;
      this.#structured = false;
      return this.#repeat(messages, null, signal);
    }
  }

  #repeat(messages: readonly Message[], schema: object | null, signal: AbortSignal) {
    const backoff = doublingDelays(this.#options.backoffMs ?? 500);
    return retry(() => this.#send(messages, schema, signal), {
      attempts: 1 + RETRIES,
      delays: (failures, error) => Math.max(retryAfter(error) ?? 0, backoff(failures, error)),
      signal,
      name: 'The verification',
      shouldRetry: (error) => retryAfter(error) !== null,
    });
  }

  async #send(
    messages: readonly Message[],
    schema: object | null,
    signal: AbortSignal,
  ): Promise<string> {
    const { endpoint, model, key, budget, timeoutMs } = this.#options;
    budget.spend(charactersOf(messages));
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        // What is meant for this host is sent to no other, whatever this one says.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, messages, stream: false, ...formatOf(schema) }),
        signal: AbortSignal.any([signal, timeout]),
      });
      const body = await readAtMost(response, MAX_ANSWER_BYTES);
      if (body === null)
        throw new EndpointFailure(
          `the answer of ${endpoint.host} is larger than ${MAX_ANSWER_BYTES / 1e6} MB`,
          'check that the address is that of a chat model',
        );
      if (!response.ok) throw failureOf(response, body, this.#options);
      return contentOf(body, endpoint);
    } catch (error) {
      if (error instanceof EndpointFailure || signal.aborted) throw error;
      if (timeout.aborted) {
        throw new EndpointFailure(
          `${endpoint.host} did not answer within ${timeoutMs / 1000} s`,
          'give it more time in the settings of the verifier, or send fewer results',
        );
      }
      throw unreachable(error, endpoint);
    }
  }
}

const retryAfter = (error: unknown) => (error instanceof EndpointFailure ? error.retryAfter : null);

export const charactersOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** Some models take neither; without a schema both are left out. */
function formatOf(schema: object | null): object {
  if (!schema) return {};
  const json_schema = { name: 'verdicts', strict: true, schema };
  return { temperature: 0, response_format: { type: 'json_schema', json_schema } };
}

function contentOf(body: string, { host }: Endpoint): string {
  const parsed = completion.safeParse(parseJsonOrNull(body));
  const choice = parsed.data?.choices[0];
  if (choice) return choice.message.content;
  throw new EndpointFailure(
    `${host} did not answer as a chat completion`,
    'check the address: it usually ends in /v1',
  );
}

function failureOf(
  response: Response,
  body: string,
  { endpoint: { host }, model, key }: ClientOptions,
): EndpointFailure {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return new EndpointFailure(
      `${host} redirects elsewhere, which is not followed`,
      'give the address that it redirects to, if you trust it',
    );
  }
  if (status === 401 || status === 403) {
    return new EndpointFailure(
      `${host} refused access (${status})`,
      key === null
        ? 'give its API key in the settings of the verifier, or in LOCUS_VERIFIER_API_KEY'
        : 'check the API key',
    );
  }
  if (status === 408 || status === 429 || status >= 500) {
    const wait = retryAfterMs(response.headers.get('retry-after'));
    const what = status === 429 ? 'has too many requests' : 'cannot answer now';
    return new EndpointFailure(`${host} ${what} (${status})`, 'try again later', {
      retryAfter: wait > LONGEST_WAIT_MS ? null : wait,
    });
  }
  const said = saidBy(body, key);
  if (status === 404) {
    const remedy = `check the address, which usually ends in /v1, and the model “${model}”`;
    return new EndpointFailure(`${host} does not know this address or model${said}`, remedy);
  }
  return new EndpointFailure(
    `${host} rejected the request (${status})${said}`,
    'check the model; if the text was too long for it, lower the characters or the results to send',
    { rejected: status === 400 || status === 422 },
  );
}

const errorBody = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** The server's own words, one short line, should it repeat the key then without it. */
function saidBy(body: string, key: string | null): string {
  const parsed = errorBody.safeParse(parseJsonOrNull(body));
  if (!parsed.success) return '';
  const text = key ? parsed.data.error.replaceAll(key, '…') : parsed.data.error;
  return `: ${text.replace(/\s+/g, ' ').trim().slice(0, 200)}`;
}

function unreachable(error: unknown, { host, loopback }: Endpoint): EndpointFailure {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  const refused = code === 'ECONNREFUSED';
  return new EndpointFailure(
    refused
      ? `nothing answers at ${host}`
      : `the connection to ${host} failed${code ? ` (${code})` : ''}`,
    loopback
      ? 'start the model’s server, or correct the address'
      : 'check the network and the address',
    { retryAfter: refused || code === 'ENOTFOUND' ? null : 0 },
  );
}
