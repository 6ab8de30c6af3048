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

const line = z.object({ key: z.string(), answer: z.string() });
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
  #answers: Map<string, string> | null = null;

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
    this.#answers ??= this.#read();
    return this.#answers.get(getKey(model, messages)) ?? null;
  }

  /** Stores an answer. @throws the system's errors */
  add(model: string, messages: readonly ChatMessage[], answer: string): void {
    const key = getKey(model, messages);
    this.#answers ??= this.#read();
    this.#answers.set(key, answer);
    const request = this.#withRequests ? { model, messages } : {};
    appendFileSync(this.#path, `${JSON.stringify({ key, ...request, answer })}\n`, {
      mode: PRIVATE_FILE,
    });
    if (!this.#withRequests && statSync(this.#path).size > MAX_BYTES) this.#dropOlder();
  }

  #read(): Map<string, string> {
    if (!existsSync(this.#path)) return new Map();
    const entries = readFileSync(this.#path, 'utf8')
      .split('\n')
      .flatMap((text) => line.safeParse(parseJsonOrNull(text)).data ?? []);
    return new Map(entries.map(({ key, answer }) => [key, answer]));
  }

  #dropOlder(): void {
    const entries = [...this.#read()];
    const newer = entries.slice(Math.ceil(entries.length / 2));
    this.#answers = new Map(newer);
    const lines = newer.map(([key, answer]) => `${JSON.stringify({ key, answer })}\n`);
    writePrivateFile(this.#path, lines.join(''));
  }
}

function getKey(model: string, messages: readonly ChatMessage[]): string {
  const text = JSON.stringify([model, messages]).replace(MARK, '');
  return createHash('sha256').update(text).digest('hex');
}
