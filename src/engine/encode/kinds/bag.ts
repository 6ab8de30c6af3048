import { assertPresent } from '../../../shared/assert-present.ts';
import type { EncoderPart } from '../../../shared/detail.ts';
import type { EncoderQuery } from '../../issue/queries.ts';
import { generateRows } from '../generated-rows.ts';
import type { ModelFiles } from '../model-files.ts';
import { type ModelKind, padInt64 } from '../model-kind.ts';
import type { EncoderDocument, InputMaker } from '../types.ts';
import {
  createAsciiReader,
  createPatternReader,
  Vocabulary,
  WORD_PATTERN,
  type WordReader,
} from '../words.ts';
import type { BagManifest } from './bag-manifest.ts';
import { openBagSum } from './bag-sum.ts';
import { TokenBag } from './token-bag.ts';

// The model gets the first lines of a callee: its name, its parameters and the start of its docstring.
const MAX_CALLEES = 4;
const MAX_CALLEE_LINES = 3;
const MAX_CALLEE_CHARACTERS = 200;

/** Bag models: the normalized, weighted sum of learned word vectors. */
export const bag: ModelKind<BagManifest> = {
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
  const vocabulary = new Vocabulary(splitLines(text));
  const read =
    tokenizer.pattern === WORD_PATTERN && tokenizer.lowercase
      ? createAsciiReader(vocabulary)
      : createPatternReader(vocabulary, tokenizer.pattern, tokenizer.lowercase);
  const { hashBuckets: buckets, pairBuckets } = tokenizer;
  const bag = new TokenBag(read, { words: vocabulary.size, buckets, pairBuckets });
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

/** Splits a text into lines, without an empty one at the end. */
function splitLines(text: string): string[] {
  // Splitting 40,000 lines at a pattern takes 8 ms.
  const lines = text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
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
  let end = -1;
  for (let line = 0; line < MAX_CALLEE_LINES; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0 || end >= MAX_CALLEE_CHARACTERS) return text.slice(0, MAX_CALLEE_CHARACTERS);
  }
  return text.slice(0, end);
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
