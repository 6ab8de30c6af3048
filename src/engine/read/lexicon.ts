/** What the reader knows of words; lab/reader/lexicon.py writes it, and says the same to training. */
import { readFile } from 'node:fs/promises';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { Vocabulary } from '../encode/words.ts';

/** Rarer words, and those that the vocabulary lacks, count as this rare: 2 to its power. */
export const RAREST = 15;

/** The first that leaves enough of a word is taken off it: the suffix, and how many letters must be left. */
const SUFFIXES: readonly (readonly [string, number])[] = [
  ['ations', 3],
  ['ation', 3],
  ['ings', 4],
  ['ing', 4],
  ['ions', 4],
  ['ion', 4],
  ['ies', 3],
  ['ied', 3],
  ['ers', 4],
  ['es', 4],
  ['ed', 4],
  ['er', 4],
  ['or', 4],
  ['ly', 4],
  ['s', 3],
  ['e', 4],
  ['y', 4],
];

/** A word that is near another, by its line in the vocabulary. */
interface Neighbour {
  line: number;
  /** Cosine times 255, as a whole number. */
  similarity: number;
}

export interface Lexicon {
  vocabulary: Vocabulary;
  /** The words near the one of this line, the nearest first. */
  neighbours(line: number): Neighbour[];
}

/**
 * Reads the vocabulary and, for each of its words, how many neighbours it has (a byte), their lines (two bytes each) and
 * similarities (a byte each).
 * @throws LocusError `bad-model` when the two files do not belong together
 */
export async function readLexicon(wordsFile: string, neighboursFile: string): Promise<Lexicon> {
  const words = (await readFile(wordsFile, 'utf8')).replace(/\r?\n$/, '').split(/\r?\n/);
  const bytes = await readFile(neighboursFile);
  const starts = new Uint32Array(words.length + 1);
  for (let line = 0; line < words.length; line++) {
    starts[line + 1] = present(starts[line], 'a start') + (bytes[line] ?? 0);
  }
  const total = present(starts[words.length], 'the end');
  if (bytes.length !== words.length + 3 * total) {
    throw new LocusError(
      'bad-model',
      `${neighboursFile} is not of the ${words.length} words in ${wordsFile}`,
      'Restore the model folder.',
    );
  }
  const similarities = words.length + 2 * total;
  return {
    vocabulary: new Vocabulary(words),
    neighbours(line) {
      const start = present(starts[line], 'a line of the vocabulary');
      const count = present(starts[line + 1], 'a line of the vocabulary') - start;
      return Array.from({ length: count }, (_, k) => ({
        line: bytes.readUInt16LE(words.length + 2 * (start + k)),
        similarity: bytes.readUInt8(similarities + start + k),
      }));
    },
  };
}

/** A word in lower case without the end that tells its forms apart. */
export function stem(word: string): string {
  const found = SUFFIXES.find(
    ([suffix, left]) =>
      word.endsWith(suffix) &&
      word.length - suffix.length >= left &&
      !(suffix === 's' && word.endsWith('ss')),
  );
  return found ? word.slice(0, word.length - found[0].length) : word;
}

/** How rare the word of a line is: the bits that the line plus one takes, less one, at most `RAREST`; -1 is rarest. */
export function rarity(line: number): number {
  return line < 0 ? RAREST : Math.min(31 - Math.clz32(line + 1), RAREST);
}
