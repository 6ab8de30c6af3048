/** Answers of language models, by model and request, so that the same list is checked once and stays the same. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import type { ChatMessage } from './client.ts';

/** Name of the file in the data directory. */
export const ANSWERS_FILE = 'check-answers.jsonl';

const line = z.object({
  key: z.string(),
  answer: z.string(),
  /** Hash of the model's name and address, and the trust in it after this answer. */
  by: z.string().optional().catch(undefined),
  trust: z.number().optional().catch(undefined),
});
type StoredAnswer = z.output<typeof line>;
/** Size in bytes above which the older half of the answers is dropped. */
const MAX_BYTES = 8_000_000;
const MARK = /#[0-9a-f]{24}/g;

export interface StoredAnswersOptions {
  /** True to store the requests beside the answers, which hold code. Only for evaluations. */
  withRequests?: boolean;
}

/** A file of JSON Lines. A line that is damaged or cut off counts as missing. */
export class StoredAnswers {
  readonly #path: string;
  readonly #withRequests: boolean;
  #answers: Map<string, StoredAnswer> | null = null;

  constructor(path: string, { withRequests = false }: StoredAnswersOptions = {}) {
    this.#path = path;
    this.#withRequests = withRequests;
  }

  /**
   * Returns the stored answer to a request, or null.
   * @param model name and address of the model
   * @param messages the request, whose random marks may differ
   */
  find(model: string, messages: readonly ChatMessage[]): string | null {
    return this.#get(model, messages)?.answer ?? null;
  }

  /** Returns the trust in a model when it answered this request; null if it did not. */
  findTrust(model: string, messages: readonly ChatMessage[]): number | null {
    return this.#get(model, messages)?.trust ?? null;
  }

  /** Returns the trust in a model after its last answer; null if it has none. */
  getLastTrust(model: string): number | null {
    this.#answers ??= this.#read();
    const own = hash(model);
    const last = [...this.#answers.values()].findLast(({ by }) => by === own);
    return last?.trust ?? null;
  }

  /** Stores an answer. @throws the system's errors */
  add(model: string, messages: readonly ChatMessage[], answer: string, trust?: number): void {
    const key = getKey(model, messages);
    this.#answers ??= this.#read();
    const entry: StoredAnswer = { key, answer, by: hash(model), trust };
    // A key that is added again becomes the last one.
    this.#answers.delete(key);
    this.#answers.set(key, entry);
    const request = this.#withRequests ? { model, messages } : {};
    appendFileSync(this.#path, `${JSON.stringify({ ...request, ...entry })}\n`, {
      mode: PRIVATE_FILE,
    });
    if (!this.#withRequests && statSync(this.#path).size > MAX_BYTES) this.#dropOlder();
  }

  #get(model: string, messages: readonly ChatMessage[]): StoredAnswer | undefined {
    this.#answers ??= this.#read();
    return this.#answers.get(getKey(model, messages));
  }

  #read(): Map<string, StoredAnswer> {
    const answers = new Map<string, StoredAnswer>();
    if (!existsSync(this.#path)) return answers;
    for (const text of readFileSync(this.#path, 'utf8').split('\n')) {
      const entry = line.safeParse(parseJsonOrNull(text)).data;
      if (!entry) continue;
      answers.delete(entry.key);
      answers.set(entry.key, entry);
    }
    return answers;
  }

  #dropOlder(): void {
    const entries = [...this.#read()];
    const newer = entries.slice(Math.ceil(entries.length / 2));
    this.#answers = new Map(newer);
    const lines = newer.map(([, entry]) => `${JSON.stringify(entry)}\n`);
    writePrivateFile(this.#path, lines.join(''));
  }
}

function getKey(model: string, messages: readonly ChatMessage[]): string {
  return hash(JSON.stringify([model, messages]).replace(MARK, ''));
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
