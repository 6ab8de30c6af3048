/** Reads the answer of a chat completion from a stream of events or from plain JSON. Its server is not trusted. */
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { readErrorMessage } from './http-failures.ts';

/** Limits of a plain answer or the text of a streamed one, and of a stream, whose events are a hundred times as long as their text. */
export const MAX_ANSWER_BYTES = 2_000_000;
const MAX_STREAM_BYTES = 32_000_000;
/** Maximum number of events of a stream, each of which costs time. There is one for a few characters. */
const MAX_EVENTS = 100_000;

const content = z.union([
  z.string(),
  z
    .array(z.object({ type: z.string().catch('text'), text: z.string().catch('') }))
    .transform((parts) => parts.map(({ type, text }) => (type === 'text' ? text : '')).join('')),
]);
const said = z
  .object({
    content: content.catch(''),
    reasoning_content: z.string().catch(''),
    reasoning: z.string().catch(''),
    refusal: z.string().catch(''),
  })
  .optional()
  .catch(undefined);
const count = z.int().min(0).catch(0);
const completion = z.object({
  choices: z.array(
    z.object({ delta: said, message: said, finish_reason: z.string().nullable().catch(null) }),
  ),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullable().catch(null),
});

/** An answer as far as it has arrived. */
export class ChatAnswer {
  /** True if anything of a chat completion arrived. */
  isCompletion = false;
  /** True if it comes as a stream of events. */
  isStream = false;
  /** True once all of it has arrived. */
  isComplete = false;
  /** Reason why it ends, such as `stop` or `length`; null before that. */
  finish: string | null = null;
  /** Words with which the model declines to answer. */
  refusal = '';
  /** Error that the server reports instead of an answer. */
  error: string | null = null;
  /** Tokens of request and answer; 0 if unknown. */
  tokens = 0;
  #text = '';
  #thoughts = '';

  /** The model's words. Some servers take an answer in JSON for thoughts. */
  get text(): string {
    return this.#text === '' && this.#thoughts.trimStart().startsWith('{')
      ? this.#thoughts
      : this.#text;
  }

  /** Number of characters so far, thoughts included. */
  get length(): number {
    return this.#text.length + this.#thoughts.length + this.refusal.length;
  }

  /** Adds a completion, or an event with a part of one. */
  add(json: unknown): void {
    const parsed = completion.safeParse(json);
    if (!parsed.success) {
      this.error ??= readErrorMessage(json);
      return;
    }
    const { choices, usage } = parsed.data;
    if (usage) this.tokens = usage.prompt_tokens + usage.completion_tokens;
    const [choice] = choices;
    const part = choice?.delta ?? choice?.message;
    if (!part) return;
    this.isCompletion = true;
    this.finish = choice?.finish_reason ?? this.finish;
    this.#text += part.content;
    this.#thoughts += part.reasoning_content || part.reasoning;
    this.refusal += part.refusal;
  }
}

/**
 * Reads a response into `answer`, which has all that arrived even if the connection breaks. A server may ignore that it was asked
 * for a stream.
 * @param onReceive called after each part that arrives
 * @returns false if the answer is too large; the connection is then closed
 * @throws errors of the connection
 */
export async function readAnswer(
  response: Response,
  answer: ChatAnswer,
  onReceive: () => void,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let isTooLarge = false;
  let events = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      events++;
      if (events > MAX_EVENTS) isTooLarge = true;
      else if (data.trim() === '[DONE]') answer.isComplete = true;
      else if (!answer.isComplete) answer.add(parseJsonOrNull(data));
    },
    maxBufferSize: MAX_ANSWER_BYTES,
    onError: ({ type, field, value = '' }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
      // llama.cpp reports errors in a field of its own.
      if (field === 'error') answer.error ??= readErrorMessage({ error: parseJsonOrNull(value) });
    },
  });
  let bytes = 0;
  let plain = '';
  for await (const part of response.body ?? []) {
    bytes += part.length;
    const text = decoder.decode(part, { stream: true });
    // Servers may send empty lines while the model is busy.
    if (!answer.isStream && plain === '') answer.isStream = /^\s*[^\s{[<]/.test(text);
    if (answer.isStream) parser.feed(text);
    else plain = plain === '' ? text.trimStart() : plain + text;
    onReceive();
    const most = answer.isStream ? MAX_STREAM_BYTES : MAX_ANSWER_BYTES;
    if (isTooLarge || bytes > most || answer.length > MAX_ANSWER_BYTES) return false;
    if (answer.isComplete || answer.error !== null) return true;
  }
  if (answer.isStream) parser.feed('\n\n');
  else {
    answer.add(parseJsonOrNull(plain));
    answer.isComplete = answer.isCompletion;
  }
  return true;
}
