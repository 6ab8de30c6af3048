import { z } from 'zod';
import { assertPresent } from '../../../shared/assert-present.ts';
import type { EncoderPart } from '../../../shared/detail.ts';
import type { EncoderQuery } from '../../issue/queries.ts';
import { generateRows } from '../generated-rows.ts';
import { boundedCount, fileName, inputLength, MAX_ROWS, typeId } from '../manifest-fields.ts';
import type { ModelFiles } from '../model-files.ts';
import { type ModelKind, padInt64 } from '../model-kind.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';
import {
  createAsciiReader,
  createPatternReader,
  hashPair,
  isPair,
  Vocabulary,
  WORD_PATTERN,
  type WordReader,
} from '../words.ts';
import { openBagSum } from './bag-sum.ts';

// The model gets the first lines of a callee: its name, its parameters and the start of its docstring.
const MAX_CALLEES = 4;
const MAX_CALLEE_LINES = 3;
const MAX_CALLEE_CHARACTERS = 200;

const manifest = z.object({
  tokenizer: z.object({
    type: z.literal('words'),
    file: fileName,
    pattern: z.string().min(1).max(1_000).refine(isPattern, 'must be a regular expression'),
    lowercase: z.boolean().default(true),
    hash: z.literal('fnv1a32').default('fnv1a32'),
    hashBuckets: z.int().min(0).max(MAX_ROWS),
    /** Number of buckets for pairs of adjacent words, as in `read_lines`. Their ids follow those of words. */
    pairBuckets: z.int().min(0).max(MAX_ROWS).default(0),
    maxWordsPerField: inputLength,
  }),
  fields: z.object({
    path: typeId,
    signature: typeId,
    body: typeId,
    callees: typeId,
    title: typeId,
    text: typeId,
    /** Types of code and tracebacks in an issue. Without them, both have the type of text. */
    code: typeId.optional(),
    trace: typeId.optional(),
  }),
  /** Ids of tokens that are not words: one in every issue, and one for each power of two of a chunk's length in words. */
  marks: z.object({ issue: typeId, lengths: typeId, lengthCount: boundedCount(64) }).optional(),
  /** Vectors of buckets, which are random and therefore generated instead of stored. They follow those of words. */
  made: z.object({ rows: boundedCount(MAX_ROWS), value: z.int().min(1).max(127) }).optional(),
  tokenWeight: z.literal('log1p(count)'),
  maxQueryWords: inputLength,
});

type BagManifest = z.infer<typeof manifest>;

/** Bag models: the normalized, weighted sum of learned word vectors. */
export const bag: ModelKind<typeof manifest> = {
  manifest,
  createInputs,
  // The model is a lookup and a sum: moving the words to a GPU takes longer than computing it on the CPU. With batches of
  // this many words, their vectors stay in the processor's second-level cache.
  benefitsFromGpu: false,
  threads: 1,
  batchTokens: 2_048,
  generateConstants: ({ made }, dimensions): Record<string, Int8Array<ArrayBuffer>> =>
    made ? { made: generateRows(made.rows, dimensions, made.value) } : {},
  openDirectly: (files, cpu, { made }, dimensions) => openBagSum(files, cpu, dimensions, made),
  tensors(rows, length) {
    // Padding has weight 0.
    const weights = new Float32Array(rows.length * length);
    for (const [i, { tokenWeights }] of rows.entries())
      weights.set(assertPresent(tokenWeights, 'the weights of a bag'), i * length);
    return {
      input_ids: padInt64(rows, length, (row) => row.inputIds),
      token_type_ids: padInt64(rows, length, (row) => row.tokenTypeIds),
      token_weights: weights,
    };
  },
};

/** Creates the input maker of a bag model: one token for each distinct word of a field, weighted by its count. */
async function createInputs(files: ModelFiles, model: BagManifest): Promise<InputMaker> {
  const { tokenizer, fields, marks, maxQueryWords } = model;
  const text = await files.readText(tokenizer.file);
  const vocabulary = new Vocabulary(text.replace(/\r?\n$/, '').split(/\r?\n/));
  const read =
    tokenizer.pattern === WORD_PATTERN && tokenizer.lowercase
      ? createAsciiReader(vocabulary)
      : createPatternReader(vocabulary, tokenizer.pattern, tokenizer.lowercase);
  const bag = new Bag(read, vocabulary.size, tokenizer.hashBuckets, tokenizer.pairBuckets);
  const limit = tokenizer.maxWordsPerField;

  return {
    buildDocument(document) {
      let length = 0;
      for (const { name, text } of splitDocument(document)) {
        const words = bag.add(text, fields[name], limit);
        if (name === 'signature' || name === 'body') length += words;
      }
      if (marks) {
        const bucket = Math.min(Math.floor(Math.log2(1 + length)), marks.lengthCount - 1);
        bag.addMark(marks.lengths + bucket, fields.body);
      }
      return bag.takeRow();
    },
    buildQuery(issue) {
      let left = maxQueryWords;
      for (const { type, text } of splitQuery(issue, fields)) left -= bag.add(text, type, left);
      // No mark for an issue without words: it should match nothing, not chunks similar to the mark.
      if (marks && left < maxQueryWords) bag.addMark(marks.issue, fields.title);
      return bag.takeRow();
    },
    explain(document) {
      return splitDocument(document).flatMap((field) => explainField(field, read, limit));
    },
  };
}

/** Collects the tokens of one row, field by field. */
class Bag {
  readonly #read: WordReader;
  readonly #words: number;
  readonly #buckets: number;
  /** Counts in the current field: of each known word, by id. */
  readonly #known: Uint32Array;
  /** The same of each unknown word, by hash. */
  readonly #unknown = new Map<number, number>();
  readonly #pairBuckets: number;
  /** The same of each pair, by hash. */
  readonly #pairs = new Map<number, number>();
  #text = '';
  #lastHash = 0;
  #lastEnd = -1;
  /** Ids of known words in the current field, by first occurrence. */
  readonly #order: number[] = [];
  #ids: number[] = [];
  #types: number[] = [];
  #weights: number[] = [];

  constructor(read: WordReader, words: number, buckets: number, pairBuckets: number) {
    this.#read = read;
    this.#words = words;
    this.#buckets = buckets;
    this.#pairBuckets = pairBuckets;
    this.#known = new Uint32Array(words);
  }

  /** Adds a field's tokens: known words, then unknown ones, then pairs, each by first occurrence. Returns the number of words. */
  add(text: string, type: number, limit: number): number {
    this.#text = text;
    this.#lastEnd = -1;
    const words = this.#read(text, limit, this.#count);
    for (const id of this.#order) {
      this.#push(id, type, assertPresent(this.#known[id], 'the count of a known word'));
      this.#known[id] = 0;
    }
    this.#order.length = 0;
    for (const [hash, count] of this.#unknown) {
      this.#push(this.#words + (hash % this.#buckets), type, count);
    }
    this.#unknown.clear();
    for (const [hash, count] of this.#pairs) {
      this.#push(this.#words + this.#buckets + (hash % this.#pairBuckets), type, count);
    }
    this.#pairs.clear();
    return words;
  }

  addMark(id: number, type: number): void {
    this.#push(id, type, 1);
  }

  /** Returns the collected row, and starts a new one. */
  takeRow(): EncoderRow {
    // Constructors instead of `from`, which would use an iterator.
    const row = {
      inputIds: new Int32Array(this.#ids),
      tokenTypeIds: new Int32Array(this.#types),
      tokenWeights: new Float32Array(this.#weights),
    };
    this.#ids = [];
    this.#types = [];
    this.#weights = [];
    return row;
  }

  readonly #count = (id: number, hash: number, end: number, start: number): void => {
    if (this.#pairBuckets > 0) {
      if (this.#lastEnd >= 0 && isPair(this.#text, this.#lastEnd, start)) {
        const pair = hashPair(this.#lastHash, hash);
        this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0) + 1);
      }
      this.#lastHash = hash;
      this.#lastEnd = end;
    }
    if (id >= 0) {
      const before = assertPresent(this.#known[id], 'the count of a known word');
      if (before === 0) this.#order.push(id);
      this.#known[id] = before + 1;
    } else if (this.#buckets > 0) {
      this.#unknown.set(hash, (this.#unknown.get(hash) ?? 0) + 1);
    }
  };

  #push(id: number, type: number, count: number): void {
    this.#ids.push(id);
    this.#types.push(type);
    this.#weights.push(Math.log1p(count));
  }
}

interface Field {
  name: 'path' | 'signature' | 'body' | 'callees';
  role: EncoderPart['role'];
  text: string;
  /** Parts of `text` for an explanation, one for each callee. */
  parts: string[];
}

/** Splits a document into the model's fields. All callees together are one field. */
function splitDocument(document: EncoderDocument): Field[] {
  const { path, text, signatureEnd } = document;
  const signature = text.slice(0, signatureEnd);
  const body = text.slice(signatureEnd);
  const callees = document.callees.slice(0, MAX_CALLEES).map(({ text }) => cutCallee(text));
  return [
    { name: 'path', role: 'path', text: path, parts: [path] },
    { name: 'signature', role: 'signature', text: signature, parts: [signature] },
    { name: 'body', role: 'body', text: body, parts: [body] },
    { name: 'callees', role: 'callee', text: callees.join('\n'), parts: callees },
  ];
}

function cutCallee(text: string): string {
  const lines = text.split('\n', MAX_CALLEE_LINES);
  return lines.join('\n').slice(0, MAX_CALLEE_CHARACTERS);
}

/** Describes how many words of a field's parts the model gets, and which text is cut by the field's limit. */
function explainField(field: Field, read: WordReader, limit: number): EncoderPart[] {
  const parts: EncoderPart[] = [];
  let left = limit;
  for (const text of field.parts) {
    if (text === '' && field.role !== 'callee') continue;
    const all = read(text, Number.POSITIVE_INFINITY, () => {});
    let end = 0;
    const tokens = read(text, left, (_id, _hash, wordEnd) => {
      end = wordEnd;
    });
    const cut = all - tokens;
    if (cut === 0) end = text.length;
    const [given, cutText] = [text.slice(0, end), text.slice(end)];
    parts.push({ role: field.role, text: given, tokens, cut, cutText });
    left -= tokens;
  }
  return parts;
}

function splitQuery(
  issue: EncoderQuery,
  types: BagManifest['fields'],
): { type: number; text: string }[] {
  const { title, text, code, trace } = issue.fields;
  const first = { type: types.title, text: title };
  if (types.code === undefined || types.trace === undefined)
    return [first, { type: types.text, text: issue.text.slice(title.length + 1) }];
  return [
    first,
    { type: types.text, text },
    { type: types.code, text: code },
    { type: types.trace, text: trace },
  ];
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'gu');
    return true;
  } catch {
    // Not a regular expression.
    return false;
  }
}
