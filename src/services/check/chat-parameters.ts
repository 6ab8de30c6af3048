/** Parameters of a request for a chat completion. Servers and models that refuse one are asked without it from then on. */

/** Maximum number of tokens of an answer. Every server allows as many; the default of some is 100. */
const MAX_TOKENS = 4_096;
/** Names of that limit: OpenAI's newer models only know the second one. */
export const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;
/** Any fixed number. Some servers take 0 and -1 for a random one. */
const SEED = 1;

/** Refused parameters by address and model, for the life of this process. */
const known = new Map<string, Set<string>>();

export class ChatParameters {
  /** Parameters that were refused by name, or are only sent instead of another one. */
  readonly #refused: Set<string>;
  /** Parameters that are left out only to see whether the server answers then. */
  #suspects = new Set<string>();

  constructor(url: string, model: string) {
    const key = `${url} ${model}`;
    this.#refused = known.get(key) ?? new Set(['max_completion_tokens']);
    known.set(key, this.#refused);
  }

  /** Lists the parameters that are sent, for an answer in JSON by `schema`. */
  list(schema: object): Record<string, unknown> {
    const json_schema = { name: 'verdicts', strict: true, schema };
    const all = {
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      seed: SEED,
      max_tokens: MAX_TOKENS,
      max_completion_tokens: MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema },
    };
    const isSent = (name: string) => !this.#refused.has(name) && !this.#suspects.has(name);
    return Object.fromEntries(
      Object.entries(all).filter(
        ([name]) => isSent(name) && (name !== 'stream_options' || isSent('stream')),
      ),
    );
  }

  /**
   * Drops the sent parameters that a refusal names, or all if it names none.
   * @param sent names of the parameters of the refused request
   */
  drop(refusal: string, sent: readonly string[]): void {
    const words = new Set(refusal.match(/\w+/g));
    const named = sent.filter((name) => words.has(name));
    for (const name of named) this.#refused.add(name);
    if (named.includes('max_tokens') && /max_completion_tokens\W+instead/.test(refusal))
      this.#refused.delete('max_completion_tokens');
    if (named.length === 0) this.#suspects = new Set(sent);
  }

  /** Records that the server answered, so that what was left out for that is the reason why it refused before. */
  confirm(): void {
    for (const name of this.#suspects) this.#refused.add(name);
  }
}
