/** Chat completions over HTTP. The endpoint is not trusted: it may be slow, broken or hostile. */

import { z } from 'zod';
import { parseJsonOrNull, parseRetryAfter, readBoundedBody } from '../../base/http.ts';
import { doublingDelays, retry } from '../../base/retry.ts';
import type { CheckUsage, Endpoint } from '../../shared/check.ts';
import { badInput } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';

/** Failure of the endpoint, with a message for people. It ends a check, but never a search. */
export class EndpointFailure extends Error {
  readonly remedy: string;
  /** Milliseconds to wait before a retry; null if a retry is pointless. */
  readonly retryAfter: number | null;
  /** True if the server rejected the format of the request. */
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

export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

/** A language model, wherever it runs. */
export interface LanguageModel {
  /**
   * Returns the model's answer as text. Asks for JSON by `schema` where it can.
   * @throws EndpointFailure if it fails
   * @throws LocusError `cancelled` if the signal aborts
   */
  ask(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<string>;
}

/** Counts what one check sends, and enforces its limits. */
export class CheckBudget {
  readonly most: CheckUsage;
  readonly used: CheckUsage = { requests: 0, characters: 0 };

  readonly #onSpend: (used: CheckUsage) => void;

  /** @param onSpend called before each request with the total so far, including it */
  constructor(most: CheckUsage, onSpend: (used: CheckUsage) => void) {
    this.most = most;
    this.#onSpend = onSpend;
  }

  allows(characters: number): boolean {
    const { used, most } = this;
    return used.requests < most.requests && used.characters + characters <= most.characters;
  }

  /** @throws EndpointFailure if it is used up */
  spend(characters: number): void {
    if (!this.allows(characters)) {
      const { requests, characters: most } = this.most;
      throw new EndpointFailure(
        `The budget of ${requests} requests and ${formatCount(most)} characters is used up.`,
        'Raise it in the settings of the check, or send fewer results.',
      );
    }
    this.used.requests++;
    this.used.characters += characters;
    this.#onSpend({ ...this.used });
  }
}

export interface LanguageModelOptions {
  endpoint: Endpoint;
  /** Name of the model; empty for the one that an agent uses by itself. */
  model: string;
  budget: CheckBudget;
  /** Limit in milliseconds for one request and its answer. */
  timeoutMs: number;
}

export interface ChatClientOptions extends LanguageModelOptions {
  /** API key, only sent to this endpoint; null for none. */
  key: string | null;
  /** Milliseconds before the first retry; doubled for each further one. */
  backoffMs?: number;
}

/** Retries after status 408, 429 or 5xx, and after lost connections. */
const MAX_RETRIES = 2;
const MAX_WAIT_MS = 30_000;
const MAX_ANSWER_BYTES = 2_000_000;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

export class ChatClient implements LanguageModel {
  readonly #options: ChatClientOptions;
  /** False once the server has rejected `response_format`, which is then no longer sent. */
  #structured = true;

  constructor(options: ChatClientOptions) {
    const { key, endpoint } = options;
    if (key !== null && !endpoint.isEncrypted && !endpoint.isLocal) {
      throw badInput(
        `The key for ${endpoint.host} would be sent without encryption.`,
        'Use an https:// address, or remove the key.',
      );
    }
    this.#options = options;
  }

  /**
   * Returns the model's answer as text. The first request asks for JSON by `schema`; if the server rejects that, it is asked without.
   *
   * @throws EndpointFailure if it fails, after retries where they may help
   * @throws LocusError `cancelled` if the signal aborts
   */
  async ask(
    messages: readonly ChatMessage[],
    schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    const structured = this.#structured;
    try {
      return await this.#repeat(messages, structured ? schema : null, signal);
    } catch (error) {
      if (!structured || !(error instanceof EndpointFailure) || !error.rejected) throw error;
      this.#structured = false;
      return this.#repeat(messages, null, signal);
    }
  }

  #repeat(messages: readonly ChatMessage[], schema: object | null, signal: AbortSignal) {
    const backoff = doublingDelays(this.#options.backoffMs ?? 500);
    return retry(() => this.#send(messages, schema, signal), {
      attempts: 1 + MAX_RETRIES,
      delays: (failures, error) => Math.max(retryAfter(error) ?? 0, backoff(failures, error)),
      signal,
      name: 'The check',
      shouldRetry: (error) => retryAfter(error) !== null,
    });
  }

  async #send(
    messages: readonly ChatMessage[],
    schema: object | null,
    signal: AbortSignal,
  ): Promise<string> {
    const { endpoint, model, key, budget, timeoutMs } = this.#options;
    budget.spend(countCharacters(messages));
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        // The request is for this host only, so redirects are not followed.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, messages, stream: false, ...createFormat(schema) }),
        signal: AbortSignal.any([signal, timeout]),
      });
      const body = await readBoundedBody(response, MAX_ANSWER_BYTES);
      if (body === null)
        throw new EndpointFailure(
          `The answer of ${endpoint.host} is larger than ${MAX_ANSWER_BYTES / 1e6} MB.`,
          'Check that the address is that of a chat model.',
        );
      if (!response.ok) throw explainStatus(response, body, this.#options);
      return readContent(body, endpoint);
    } catch (error) {
      if (error instanceof EndpointFailure || signal.aborted) throw error;
      if (timeout.aborted) throw explainTimeout(endpoint, timeoutMs);
      throw explainConnection(error, endpoint);
    }
  }
}

const retryAfter = (error: unknown) => (error instanceof EndpointFailure ? error.retryAfter : null);

/** Returns the failure of a model that did not answer in time. */
export function explainTimeout({ host }: Endpoint, timeoutMs: number): EndpointFailure {
  const seconds = timeoutMs / 1000;
  return new EndpointFailure(
    `${host} did not answer within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    'Allow more time in the settings of the check, or send fewer results.',
  );
}

/** Counts the characters of a request. */
export const countCharacters = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** Asks for JSON and temperature 0. Some models support neither, so both are omitted without a schema. */
function createFormat(schema: object | null): object {
  if (!schema) return {};
  const json_schema = { name: 'verdicts', strict: true, schema };
  return { temperature: 0, response_format: { type: 'json_schema', json_schema } };
}

function readContent(body: string, { host }: Endpoint): string {
  const parsed = completion.safeParse(parseJsonOrNull(body));
  const choice = parsed.data?.choices[0];
  if (choice) return choice.message.content;
  throw new EndpointFailure(
    `${host} did not answer with a chat completion.`,
    'Check the address: it usually ends in /v1.',
  );
}

function explainStatus(
  response: Response,
  body: string,
  { endpoint: { host }, model, key }: ChatClientOptions,
): EndpointFailure {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return new EndpointFailure(
      `${host} redirects to another address, which Locus does not follow.`,
      'If you trust the new address, use it instead.',
    );
  }
  if (status === 401 || status === 403) {
    return new EndpointFailure(
      `${host} denied access (status ${status}).`,
      key === null
        ? 'Enter an API key in the settings of the check, or set LOCUS_CHECK_API_KEY.'
        : 'Check the API key.',
    );
  }
  if (status === 408 || status === 429 || status >= 500) {
    const wait = parseRetryAfter(response.headers.get('retry-after'));
    const what = status === 429 ? 'has received too many requests' : 'is not available now';
    return new EndpointFailure(`${host} ${what} (status ${status}).`, 'Try again later.', {
      retryAfter: wait > MAX_WAIT_MS ? null : wait,
    });
  }
  const said = readErrorMessage(body, key);
  if (status === 404) {
    const remedy = `Check the address, which usually ends in /v1, and the model “${model}”.`;
    return new EndpointFailure(`${host} does not know this address or model${said}.`, remedy);
  }
  return new EndpointFailure(
    `${host} rejected the request (status ${status})${said}.`,
    'Check the model. If the text was too long for it, send fewer results or characters.',
    { rejected: status === 400 || status === 422 },
  );
}

const errorBody = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** Returns the server's own message as one short line, without the key if it repeats it, and without a final full stop. */
function readErrorMessage(body: string, key: string | null): string {
  const parsed = errorBody.safeParse(parseJsonOrNull(body));
  if (!parsed.success) return '';
  const text = key ? parsed.data.error.replaceAll(key, '…') : parsed.data.error;
  return `: ${text.replace(/\s+/g, ' ').trim().slice(0, 200).replace(/\.$/, '')}`;
}

function explainConnection(error: unknown, { host, isLocal }: Endpoint): EndpointFailure {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  const refused = code === 'ECONNREFUSED';
  return new EndpointFailure(
    refused
      ? `Nothing answers at ${host}.`
      : `The connection to ${host} failed${code ? ` (${code})` : ''}.`,
    isLocal
      ? 'Start the model’s server, or correct the address.'
      : 'Check the network and the address.',
    { retryAfter: refused || code === 'ENOTFOUND' ? null : 0 },
  );
}
