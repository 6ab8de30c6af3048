/** Chat completions over HTTP. The endpoint is not trusted: it may be slow, broken or hostile. */

import { readBoundedBody } from '../../base/http.ts';
import { doublingDelays, retry } from '../../base/retry.ts';
import { badInput } from '../../shared/errors.ts';
import { ChatAnswer, MAX_ANSWER_BYTES, readAnswer } from './chat-answer.ts';
import { ChatParameters, LIMITS } from './chat-parameters.ts';
import {
  type ChatMessage,
  countCharacters,
  EndpointFailure,
  explainTimeout,
  type LanguageModel,
  type LanguageModelOptions,
} from './client.ts';
import {
  explainConnection,
  explainCut,
  explainError,
  explainForm,
  explainLimit,
  explainRefusal,
  explainSize,
  explainStall,
  explainStatus,
} from './http-failures.ts';
import { removeThoughts } from './thoughts.ts';

export interface ChatClientOptions extends LanguageModelOptions {
  /** API key, only sent to this endpoint; null for none. */
  key: string | null;
  /** Milliseconds before the first retry; doubled for each further one. */
  backoffMs?: number;
  /** Limit in milliseconds for a pause in the middle of an answer. */
  stallMs?: number;
}

/** Retries after status 408, 429 or 5xx, and after connections that broke before an answer began. */
const MAX_RETRIES = 2;
const STALL_MS = 30_000;

export class ChatClient implements LanguageModel {
  readonly #options: ChatClientOptions;
  readonly #parameters: ChatParameters;

  constructor(options: ChatClientOptions) {
    const { key, endpoint, model } = options;
    if (key !== null && !endpoint.isEncrypted && !endpoint.isLocal) {
      throw badInput(
        `The key for ${endpoint.host} would be sent without encryption.`,
        'Use an https:// address, or remove the key.',
      );
    }
    this.#options = options;
    this.#parameters = new ChatParameters(endpoint.url, model);
  }

  /**
   * Returns the model's answer as text. Asks for a stream, the same answer each time, and JSON by `schema`; if the server refuses one
   * of these, it is asked without.
   *
   * @throws EndpointFailure if it fails, after retries where they may help; with the part of the answer that arrived
   * @throws LocusError `cancelled` if the signal aborts
   */
  async ask(
    messages: readonly ChatMessage[],
    schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    const { budget } = this.#options;
    for (;;) {
      const parameters = this.#parameters.list(schema);
      const sent = Object.keys(parameters);
      try {
        return await this.#repeat(messages, parameters, signal);
      } catch (error) {
        const refusal = error instanceof EndpointFailure ? error.refusal : null;
        if (refusal === null || sent.length === 0) throw error;
        this.#parameters.drop(refusal, sent);
        if (!budget.allows(countCharacters(messages))) throw error;
      }
    }
  }

  #repeat(messages: readonly ChatMessage[], parameters: object, signal: AbortSignal) {
    const backoff = doublingDelays(this.#options.backoffMs ?? 500);
    return retry(() => this.#send(messages, parameters, signal), {
      attempts: 1 + MAX_RETRIES,
      delays: (failures, error) => Math.max(retryAfter(error) ?? 0, backoff(failures, error)),
      signal,
      name: 'The check',
      shouldRetry: (error) => retryAfter(error) !== null,
    });
  }

  async #send(
    messages: readonly ChatMessage[],
    parameters: object,
    signal: AbortSignal,
  ): Promise<string> {
    const { budget } = this.#options;
    budget.spend(countCharacters(messages));
    const answer = new ChatAnswer();
    const body = JSON.stringify({ model: this.#options.model, messages, ...parameters });
    const failure = await this.#exchange(body, answer, signal);
    if (answer.tokens > 0) budget.addTokens(answer.tokens);
    return this.#conclude(answer, failure, parameters);
  }

  /** Reads the response to a request into `answer`. Returns the failure that ended it early, or null. */
  async #exchange(
    body: string,
    answer: ChatAnswer,
    signal: AbortSignal,
  ): Promise<EndpointFailure | null> {
    const { endpoint, key, budget, timeoutMs, stallMs = STALL_MS } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const stall = new AbortController();
    let stalling: NodeJS.Timeout | undefined;
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        // The request is for this host only, so redirects are not followed.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body,
        signal: AbortSignal.any([signal, timeout, stall.signal]),
      });
      if (!response.ok) {
        const words = await readBoundedBody(response, MAX_ANSWER_BYTES);
        return explainStatus(response, words ?? '', this.#options);
      }
      this.#parameters.confirm();
      const fits = await readAnswer(response, answer, () => {
        budget.receive(answer.length);
        clearTimeout(stalling);
        stalling = setTimeout(() => stall.abort(), stallMs);
      });
      return fits ? null : explainSize(endpoint, MAX_ANSWER_BYTES);
    } catch (error) {
      if (signal.aborted) throw error;
      if (timeout.aborted) return explainTimeout(endpoint, timeoutMs);
      if (stall.signal.aborted) return explainStall(endpoint, stallMs);
      return explainConnection(error, endpoint);
    } finally {
      clearTimeout(stalling);
    }
  }

  /**
   * Returns the text of a complete answer.
   * @throws EndpointFailure with the text that arrived, if the answer is not complete or the model refused
   */
  #conclude(answer: ChatAnswer, failure: EndpointFailure | null, parameters: object): string {
    const { text, finish } = answer;
    const isCut = finish === 'length';
    if (!isCut && (answer.isComplete || finish !== null)) {
      if (text === '' && answer.refusal !== '') throw explainRefusal(this.#options, answer.refusal);
      return text;
    }
    const cause = failure ?? this.#explain(answer);
    const partial = removeThoughts(text).trim();
    const hasLimit = LIMITS.some((name) => name in parameters);
    // Without its limit, a model that thinks for long may come to an answer.
    const refusal = isCut && hasLimit ? LIMITS.join() : null;
    const { retryAfter } = cause;
    throw new EndpointFailure(
      cause.message,
      cause.remedy,
      partial === '' ? { refusal: cause.refusal ?? refusal, retryAfter } : { partial },
    );
  }

  /** Returns the reason why an answer is not complete although its connection did not fail. */
  #explain({ finish, error, isCompletion, isStream }: ChatAnswer): EndpointFailure {
    const { endpoint } = this.#options;
    if (finish === 'length') return explainLimit(endpoint);
    if (error !== null) return explainError(this.#options, error, isStream ? 0 : null);
    return isCompletion ? explainCut(endpoint) : explainForm(endpoint);
  }
}

const retryAfter = (error: unknown) => (error instanceof EndpointFailure ? error.retryAfter : null);
