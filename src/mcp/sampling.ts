/** Asks the language model of an MCP client (`sampling/createMessage`). The client and its answer are not trusted. */
import type { ServerContext } from '@modelcontextprotocol/server';
import {
  type ChatMessage,
  type CheckBudget,
  countCharacters,
  EndpointFailure,
  type LanguageModel,
} from '../services/check/client.ts';
import { cancelled } from '../shared/errors.ts';
import { escapeHidden } from '../shared/quote.ts';

export type RequestSampling = ServerContext['mcpReq']['requestSampling'];

/** Limits of an answer. */
const MAX_TOKENS = 4_096;
const TIMEOUT_MS = 120_000;
const MAX_ANSWER = 2_000_000;
/** Maximum length of the client's words about a failure. */
const MAX_WORDS = 200;

/** The client's model. The client may ask its user first, and may decline. */
export class SamplingModel implements LanguageModel {
  readonly #request: RequestSampling;
  readonly #budget: CheckBudget;
  readonly #timeoutMs: number;

  /** @param timeoutMs limit in milliseconds for one request and its answer */
  constructor(request: RequestSampling, budget: CheckBudget, timeoutMs = TIMEOUT_MS) {
    this.#request = request;
    this.#budget = budget;
    this.#timeoutMs = timeoutMs;
  }

  async ask(
    messages: readonly ChatMessage[],
    _schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    this.#budget.spend(countCharacters(messages));
    const join = (role: ChatMessage['role']) =>
      messages.flatMap((message) => (message.role === role ? message.content : [])).join('\n\n');
    try {
      const { content } = await this.#request(
        {
          systemPrompt: join('system'),
          messages: [{ role: 'user', content: { type: 'text', text: join('user') } }],
          maxTokens: MAX_TOKENS,
          temperature: 0,
          includeContext: 'none',
        },
        { signal, timeout: this.#timeoutMs },
      );
      const parts = Array.isArray(content) ? content : [content];
      const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
      return texts.join('').slice(0, MAX_ANSWER);
    } catch (error) {
      if (signal.aborted) throw cancelled('The check');
      const words = escapeHidden((error as Error).message.replace(/\s+/g, ' ').trim());
      throw new EndpointFailure(
        `The client did not answer for its model: ${words.slice(0, MAX_WORDS).replace(/\.$/, '')}.`,
        'Judge the results without it.',
      );
    }
  }
}
