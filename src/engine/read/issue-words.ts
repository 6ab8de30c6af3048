import { appendTo } from '../../shared/lists-by-key.ts';
import { fnv1a32 } from '../encode/words.ts';
import { type Lexicon, stem } from './lexicon.ts';
import { FIELDS, followsHash, identifiers, type Word } from './tokens.ts';

/** How many distinct words of an issue are read. */
const MOST = 160;

/** A distinct word of an issue. */
export interface IssueWord {
  text: string;
  hash: number;
  line: number;
  /** How often each field has it. */
  counts: number[];
}

/** The distinct words of an issue in the order of their first occurrence, and what stands together in it. */
export class IssueWords {
  readonly words: readonly IssueWord[];
  readonly #byHash = new Map<number, number>();
  readonly #byStem = new Map<number, number[]>();
  readonly #byNeighbour = new Map<number, { word: number; similarity: number }[]>();
  readonly #pairs = new Set<number>();
  readonly #identifiers: readonly [Set<number>, Set<number>] = [new Set(), new Set()];

  /** @param words of the issue, in order */
  constructor(words: readonly Word[], lexicon: Lexicon) {
    const distinct: IssueWord[] = [];
    const named = identifiers(words);
    for (const [i, word] of words.entries()) {
      const next = words[i + 1];
      if (next?.part === word.part) this.#pairs.add(followsHash(word, next));
      this.#identifiers[word.part < 2 ? 0 : 1].add(named[i] ?? 0);
      const known = this.#byHash.get(word.hash);
      if (known === undefined && distinct.length === MOST) continue;
      if (known === undefined) this.#byHash.set(word.hash, distinct.length);
      const counted = known === undefined ? newWord(word) : distinct[known];
      if (known === undefined && counted) distinct.push(counted);
      if (counted) counted.counts[word.part] = (counted.counts[word.part] ?? 0) + 1;
    }
    this.words = distinct;
    for (const [i, word] of distinct.entries()) {
      appendTo(this.#byStem, fnv1a32(stem(word.text)), i);
      if (word.line < 0) continue;
      for (const { line, similarity } of lexicon.neighbours(word.line)) {
        appendTo(this.#byNeighbour, line, { word: i, similarity });
      }
    }
  }

  /** The number of the word, or -1. */
  exact(word: Word): number {
    return this.#byHash.get(word.hash) ?? -1;
  }

  /** Numbers of the words with the same stem. */
  ofStem(word: Word): readonly number[] {
    return this.#byStem.get(fnv1a32(stem(word.text))) ?? [];
  }

  /** The words that it is near, with their cosine times 255. */
  near(word: Word): readonly { word: number; similarity: number }[] {
    return word.line < 0 ? [] : (this.#byNeighbour.get(word.line) ?? []);
  }

  /** Whether the issue has the two in this order, one after the other. */
  hasPair(first: Word, second: Word): boolean {
    return this.#pairs.has(followsHash(first, second));
  }

  /** Whether its title and prose, or its code and tracebacks, have an identifier, as `identifiers` gives it. */
  names(identifier: number): [boolean, boolean] {
    const [spoken, code] = this.#identifiers;
    return identifier === 0 ? [false, false] : [spoken.has(identifier), code.has(identifier)];
  }
}

function newWord({ text, hash, line }: Word): IssueWord {
  return { text, hash, line, counts: FIELDS.map(() => 0) };
}
