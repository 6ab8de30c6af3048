/**
 * Tokenizes inputs that consist of a template and of text from issues and repositories, as the tokenizer of a published model
 * does. Only the template can have special tokens: in the text, `<|im_end|>` or `[SEP]` is ordinary text.
 */
import { badModel, type ModelFiles } from '../model-files.ts';
import { loadTokenizer, type Tokenizer } from '../tokenizer.ts';
import type { PromptPart } from './prompt.ts';

/** Maximum number of characters for each token of a limit. Longer text is cut before tokenizing, to bound the work. */
const MAX_CHARACTERS_PER_TOKEN = 16;

interface AddedToken {
  id: number;
  content: string;
}

/** Ids that a tokenizer adds before, between and after two texts. */
interface PairFrame {
  before: number[];
  between: number[];
  after: number[];
  /** Token types of the five parts: before, first text, between, second text, after. */
  types: number[];
}

/** @throws LocusError `bad-model` if the tokenizer is invalid */
export const loadPromptTokenizer = (files: ModelFiles, name: string): Promise<PromptTokenizer> =>
  loadTokenizer(files, name, (json, Tokenizer) => {
    const added = ((json.added_tokens as AddedToken[] | undefined) ?? []).map(
      ({ id, content }): AddedToken => ({ id: Number(id), content: String(content) }),
    );
    // Tokens of spaces alone mean only spaces. Code has many.
    const ordinary = added.filter(({ content }) => content.trim() === '');
    const named = added.filter(({ content }) => content.trim() !== '');
    const keep = new Set(ordinary.map(({ content }) => content));
    const isKept = ({ content }: AddedToken) => keep.has(content);
    const kept = ((json.added_tokens as AddedToken[] | undefined) ?? []).filter(isKept);
    const plain = new Tokenizer({ ...json, added_tokens: kept }, {});
    const full = new Tokenizer(json, {});
    return new PromptTokenizer(plain, full, named, readUnknown(json), files.path(name));
  });

/** Returns the name of the token for unknown words, or null. */
function readUnknown({ model }: Record<string, unknown>): string | null {
  const { unk_token: token, unk_id: id, vocab } = (model ?? {}) as Record<string, unknown>;
  if (typeof token === 'string') return token;
  const [content] = (Array.isArray(vocab) && typeof id === 'number' && vocab[id]) || [];
  return typeof content === 'string' ? content : null;
}

export class PromptTokenizer {
  /** Tokenizer without named tokens. */
  readonly #plain: Tokenizer;
  readonly #full: Tokenizer;
  /** Longest first, since one may begin with another. */
  readonly #named: readonly AddedToken[];
  /** Ids that only a template can have. */
  readonly #reserved: ReadonlySet<number>;
  readonly #unknown: number | undefined;
  readonly #path: string;

  constructor(
    plain: Tokenizer,
    full: Tokenizer,
    named: readonly AddedToken[],
    unknown: string | null,
    path: string,
  ) {
    this.#path = path;
    this.#plain = plain;
    this.#full = full;
    this.#named = named.toSorted((a, b) => b.content.length - a.content.length);
    this.#unknown = unknown === null ? undefined : full.token_to_id(unknown);
    this.#reserved = new Set(named.map(({ id }) => id).filter((id) => id !== this.#unknown));
  }

  /** Returns the tokens of a text, at most `limit`. */
  readText(text: string, limit: number): number[] {
    return this.#encode(text.slice(0, limit * MAX_CHARACTERS_PER_TOKEN)).slice(0, limit);
  }

  /** Returns the longest beginning of a text with at most `limit` tokens. */
  cutText(text: string, limit: number): string {
    const longest = text.slice(0, limit * MAX_CHARACTERS_PER_TOKEN);
    const count = (length: number) => this.#encode(longest.slice(0, length)).length;
    if (count(longest.length) <= limit) return longest;
    let [fits, tooLong] = [0, longest.length];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (count(middle) <= limit) fits = middle;
      else tooLong = middle;
    }
    return longest.slice(0, fits);
  }

  /**
   * Returns the tokens of an input, at most `limit`. If there are more, the end of the text up to the special token after the last
   * value is cut, so that what follows in the template stays.
   */
  encode(parts: readonly PromptPart[], limit: number): number[] {
    const { runs, cuttable } = this.#splitRuns(parts, limit);
    const ids = runs.map((run) => (typeof run === 'number' ? [run] : this.#encode(run)));
    const excess = ids.reduce((sum, { length }) => sum + length, 0) - limit;
    return ids
      .flatMap((own, i) =>
        i === cuttable && excess > 0 ? own.slice(0, Math.max(0, own.length - excess)) : own,
      )
      .slice(0, limit);
  }

  /** Returns the ids that the tokenizer adds before and after a text. @throws LocusError `bad-model` if it changes the text */
  getFrame(): { before: number[]; after: number[] } {
    const text = this.#encode('a');
    const { ids } = this.#full.encode('a');
    const at = this.#findRun(ids, text, 0);
    return { before: ids.slice(0, at), after: ids.slice(at + text.length) };
  }

  /** Returns what the tokenizer adds around two texts. @throws LocusError `bad-model` if it changes them */
  getPairFrame(): PairFrame {
    const [first, second] = [this.#encode('a'), this.#encode('b')];
    const { ids, token_type_ids: types } = this.#full.encode('a', {
      text_pair: 'b',
      return_token_type_ids: true,
    });
    const a = this.#findRun(ids, first, 0);
    const b = this.#findRun(ids, second, a + first.length);
    const between = a + first.length;
    const after = b + second.length;
    return {
      before: ids.slice(0, a),
      between: ids.slice(between, b),
      after: ids.slice(after),
      types: [0, a, between, b, after].map((at) => types[at] ?? 0),
    };
  }

  /** Returns the id of the only token of a word. @throws LocusError `bad-model` if it has several */
  getToken(word: string): number {
    const named = this.#named.find(({ content }) => content === word)?.id;
    const [id, ...others] = named === undefined ? this.#encode(word) : [named];
    if (id !== undefined && others.length === 0 && id !== this.#unknown) return id;
    throw badModel(`In ${this.#path}, “${word}” is not one token.`);
  }

  /** Splits an input at the special tokens of its template. Text between them is tokenized at once, as the model's own code does. */
  #splitRuns(parts: readonly PromptPart[], limit: number) {
    const runs: (number | string)[] = [''];
    let cuttable = 0;
    const add = (text: string) => {
      const last = runs.at(-1);
      if (typeof last === 'string') runs[runs.length - 1] = last + text;
      else runs.push(text);
    };
    for (const { isValue, text } of parts) {
      if (isValue) {
        add(text.slice(0, limit * MAX_CHARACTERS_PER_TOKEN));
        cuttable = runs.length - 1;
      } else {
        for (const piece of this.#splitTemplate(text))
          if (typeof piece === 'number') runs.push(piece);
          else add(piece);
      }
    }
    return { runs, cuttable };
  }

  #splitTemplate(text: string): (number | string)[] {
    const pieces: (number | string)[] = [];
    let start = 0;
    for (let at = 0; at < text.length; ) {
      const token = this.#named.find(({ content }) => text.startsWith(content, at));
      if (!token) {
        at++;
        continue;
      }
      if (at > start) pieces.push(text.slice(start, at));
      pieces.push(token.id);
      at += token.content.length;
      start = at;
    }
    if (start < text.length) pieces.push(text.slice(start));
    return pieces;
  }

  #encode(text: string): number[] {
    if (text === '') return [];
    const ids = this.#plain.encode(text, { add_special_tokens: false }).ids as (
      | number
      | undefined
    )[];
    // Some vocabularies have the special tokens as ordinary words too. The library leaves a gap for unknown words of others.
    return ids.flatMap((id = this.#unknown) =>
      id === undefined || this.#reserved.has(id) ? [] : [id],
    );
  }

  #findRun(ids: readonly number[], run: readonly number[], from: number): number {
    for (let at = from; at + run.length <= ids.length; at++)
      if (run.every((id, i) => ids[at + i] === id)) return at;
    throw badModel(`${this.#path} changes a text when it adds special tokens.`);
  }
}
