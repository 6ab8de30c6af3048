/**
 * Creates the untrained part of a model, which turns texts into tokens. A folder of rows contains it: `model.json`, without the
 * files that only a trained model has, and a vocabulary or a tokenizer.
 */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAsciiReader,
  type InputMaker,
  KIND_MANIFESTS,
  KINDS,
  ModelFiles,
  Vocabulary,
  WORD_PATTERN,
} from '../../src/engine/lab.ts';
import { readTrainingData } from '../mining/format.ts';

/** Settings that make the inputs of a model that is trained on rows. */
export interface Start {
  /** Returns an input maker for queries of at most `maxQueryTokens` tokens. */
  inputs(maxQueryTokens?: number): Promise<InputMaker>;
  /** True if tokens have counts. */
  isBag: boolean;
}

/** Opens the untrained part of a model in a folder. */
export function openStart(folder: string): Start {
  const model = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'));
  const files = new ModelFiles(folder, { sha256: {} });
  const { bag, sequence } = KINDS;
  return model.kind === 'bag'
    ? { isBag: true, inputs: () => bag.createInputs(files, KIND_MANIFESTS.bag.parse(model)) }
    : {
        isBag: false,
        inputs(maxQueryTokens = model.maxQueryTokens) {
          const manifest = KIND_MANIFESTS.sequence.parse({ ...model, maxQueryTokens });
          return sequence.createInputs(files, manifest);
        },
      };
}

/** Copies the untrained part of another model into a folder. */
export function copyStart(model: string, folder: string): void {
  const given = JSON.parse(readFileSync(join(model, 'model.json'), 'utf8'));
  const kind: keyof typeof KIND_MANIFESTS = given.kind;
  const { file } = given.tokenizer;
  copyFileSync(join(model, file), join(folder, file));
  writeModel(folder, { kind, ...KIND_MANIFESTS[kind].parse(given) });
}

const FIELDS = { path: 0, signature: 1, body: 2, callees: 3, title: 4, text: 5, code: 6, trace: 7 };

/** Number of length classes of code in a bag encoder, by powers of two. */
const LENGTHS = 16;

export interface BagSize {
  words: number;
  wordBuckets: number;
  pairBuckets: number;
}

/** Creates a bag encoder with the words that most of these mined repositories use. */
export async function startBag(folder: string, files: readonly string[], size: BagSize) {
  const words = await chooseWords(files, size.words);
  writeFileSync(join(folder, 'vocab.txt'), words.map((word) => `${word}\n`).join(''));
  const issue = words.length + size.wordBuckets + size.pairBuckets;
  writeModel(folder, {
    kind: 'bag',
    tokenizer: {
      ...{ type: 'words', file: 'vocab.txt', pattern: WORD_PATTERN, lowercase: true },
      ...{ hash: 'fnv1a32', hashBuckets: size.wordBuckets, pairBuckets: size.pairBuckets },
      maxWordsPerField: 400,
    },
    fields: FIELDS,
    marks: { issue, lengths: issue + 1, lengthCount: LENGTHS },
    tokenWeight: 'log1p(count)',
    maxQueryWords: 1500,
  });
}

/** Maximum number of words that are read of a text. */
const WORDS_READ = 1500;
/** Number of repositories with a word from which on more of them make no difference. */
const SPREAD = 12;

/** Returns the words that most repositories use. In ties, the more frequent word comes first. */
async function chooseWords(files: readonly string[], size: number): Promise<string[]> {
  const found = new Map<string, { spread: number; total: number }>();
  for (const file of files) {
    const counts = new Map<string, number>();
    for await (const line of readTrainingData(file)) {
      const text =
        line.kind === 'chunk'
          ? `${line.chunk[0]}\n${line.chunk[3]}`
          : line.kind === 'commit'
            ? line.commit.m
            : '';
      for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [word, count] of counts) {
      // A word in a single text is not typical of the repository.
      if (count === 1) continue;
      const { spread, total } = found.get(word) ?? { spread: 0, total: 0 };
      found.set(word, { spread: spread + 1, total: total + count });
    }
  }
  const ranked = [...found].sort(([a, x], [b, y]) => {
    const spread = Math.min(y.spread, SPREAD) - Math.min(x.spread, SPREAD);
    return spread || y.total - x.total || (a < b ? -1 : 1);
  });
  return ranked.slice(0, size).map(([word]) => word);
}

const readWords = createAsciiReader(new Vocabulary([]));

/** Returns the distinct words of a text, in lower case. */
function splitWords(text: string): Set<string> {
  const words = new Set<string>();
  readWords(text, WORDS_READ, (_id, _hash, end, start) => {
    words.add(text.slice(start, end).toLowerCase());
  });
  return words;
}

/** Tokens that mark a chunk, a callee and an issue. They replace unused rows of a pretrained vocabulary. */
const MARKS = ['[C]', '[DOWN]', '[Q]'];
const UNKNOWN = 100;

/**
 * Creates a transformer with the vocabulary of a pretrained BERT, as a Hugging Face tokenizer: WordPiece (Wu et al., 2016;
 * Devlin et al., NAACL 2019) for text and code. Before a text is cut into words, it is decomposed, accents are removed, and
 * identifiers are split at camelCase humps. Punctuation is left out: it is a third of code's tokens, and mean embeddings are more
 * distinct without it. Only ASCII is classified, by explicit ranges, so that different Unicode tables cannot disagree. Lengths
 * are bounded, which bounds the work on a text without spaces.
 */
export function startSequence(folder: string, vocabulary: string): void {
  const tokens = readFileSync(vocabulary, 'utf8').replace(/\n$/, '').split('\n');
  // They are not added tokens of the tokenizer, so that "[C]" in a text is ordinary text.
  tokens.splice(1, MARKS.length, ...MARKS);
  const split = { type: 'Split', behavior: 'Removed', invert: true };
  const replaced = (pattern: string, content: string) => ({
    ...{ type: 'Replace', pattern: { Regex: pattern }, content },
  });
  const tokenizer = {
    ...{ version: '1.0', truncation: null, padding: null, added_tokens: [] },
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFD' },
        replaced('[\\u0300-\\u036f]', ''),
        replaced('(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])', ' '),
        { type: 'Lowercase' },
      ],
    },
    pre_tokenizer: { ...split, pattern: { Regex: '[a-z0-9]{1,24}|[^\\x00-\\x7f]' } },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
    model: {
      ...{ type: 'WordPiece', unk_token: tokens[UNKNOWN], continuing_subword_prefix: '##' },
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeModel(folder, {
    kind: 'sequence',
    tokenizer: { type: 'huggingface', file: 'tokenizer.json' },
    special: { chunk: 1, down: 2, query: 3, unknown: UNKNOWN },
    ...{ maxTokens: 256, maxQueryTokens: 320, maxCallees: 4, maxCalleeTokens: 24 },
    fields: FIELDS,
  });
}

/** Writes the manifest, last, since `hasBegun` looks for it. */
function writeModel(folder: string, model: object): void {
  writeFileSync(join(folder, 'model.json'), `${JSON.stringify(model, null, 2)}\n`);
}

export const hasBegun = (folder: string): boolean => existsSync(join(folder, 'model.json'));
