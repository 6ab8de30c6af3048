/** A language model as a check sees it, wherever it runs: its messages, failures and budget. */

import type { CheckUsage } from '../../shared/check.ts';
import type { Endpoint } from '../../shared/check-endpoint.ts';
import { formatCount } from '../../shared/format-count.ts';

/** Failure of the endpoint, with a message for people. It ends a check, but never a search. */
export class EndpointFailure extends Error {
  readonly remedy: string;
  /** Milliseconds to wait before a retry; null if a retry is pointless. */
  readonly retryAfter: number | null;
  /** The server's words if it refused the form of the request; else null. */
  readonly refusal: string | null;
  /** Part of the answer that arrived before the failure; empty if nothing useful did. */
  readonly partial: string;

  constructor(
    message: string,
    remedy: string,
    options: { retryAfter?: number | null; refusal?: string | null; partial?: string } = {},
  ) {
    super(message);
    this.name = 'EndpointFailure';
    this.remedy = remedy;
    this.retryAfter = options.retryAfter ?? null;
    this.refusal = options.refusal ?? null;
    this.partial = options.partial ?? '';
  }
}

export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

/** A language model, wherever it runs. */
export interface LanguageModel {
  /** Name in stored answers, if the address does not name one model for good. */
  readonly identity?: string;
  /**
   * Returns the model's answer as text. Asks for JSON by `schema` where it can.
   * @throws EndpointFailure if it fails, with the part of the answer that arrived
   * @throws LocusError `cancelled` if the signal aborts
   */
  ask(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<string>;
}

/** Minimum number of new characters of an answer that are reported. */
const REPORTED_STEP = 20;

/** Counts what one check sends, and enforces its limits. */
export class CheckBudget {
  readonly most: CheckUsage;
  readonly used: CheckUsage = { requests: 0, characters: 0 };

  readonly #onChange: (used: CheckUsage) => void;
  /** Characters of the current answer that were reported. */
  #received = 0;

  /** @param onChange called with the total so far: before each request, including it, and while an answer arrives */
  constructor(most: CheckUsage, onChange: (used: CheckUsage) => void) {
    this.most = most;
    this.#onChange = onChange;
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
        'Retry, or send fewer results.',
      );
    }
    this.used.requests++;
    this.used.characters += characters;
    this.#received = 0;
    this.#onChange({ ...this.used });
  }

  /**
   * Reports how much of an answer has arrived, in steps that grow with it.
   * @param received characters since the request
   */
  receive(received: number): void {
    if (received < this.#received + Math.max(REPORTED_STEP, this.#received / 10)) return;
    this.#received = received;
    this.#onChange({ ...this.used, received });
  }

  /** Adds the tokens of a request and its answer, as the server counts them. */
  addTokens(tokens: number): void {
    this.used.tokens = (this.used.tokens ?? 0) + tokens;
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
