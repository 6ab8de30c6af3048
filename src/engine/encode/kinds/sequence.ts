import { z } from 'zod';
import { parseJson } from '../../../base/json.ts';
import type { EncoderPart } from '../../../shared/detail.ts';
import { LocusError } from '../../../shared/errors.ts';
import { fileName, length, typeId } from '../fields.ts';
import { type ModelKind, padInt64 } from '../kind.ts';
import { badModel, type ModelFiles } from '../model-files.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';

/** Text of a field this much longer than a limit in tokens is cut before it is tokenized, to bound the work. */
const CHARACTERS_PER_TOKEN = 16;

/** The fields of an issue, in the order in which they are given to a model. */
const QUERY_FIELDS = ['title', 'text', 'code', 'trace'] as const;

const manifest = z.object({
  tokenizer: z.object({ type: z.literal('huggingface'), file: fileName }),
  special: z.object({
    /** `[C]`, which opens a chunk. */
    chunk: typeId,
    /** `[DOWN]`, which opens a callee. */
    down: typeId,
    /** `[Q]`, which opens an issue. */
    query: typeId,
    /** For words that the vocabulary lacks. */
    unknown: typeId,
  }),
  maxTokens: length,
  maxQueryTokens: length,
  maxCallees: z.int().min(0).max(64).default(4),
  maxCalleeTokens: length.default(48),
  /** Token types; what a model does not tell apart is the chunk itself, or the context that its callees are. */
  fields: z
    .object({
      path: typeId.default(0),
      signature: typeId.default(0),
      body: typeId.default(0),
      callees: typeId.default(1),
      title: typeId.default(0),
      text: typeId.default(0),
      code: typeId.default(0),
      trace: typeId.default(0),
    })
    .prefault({}),
});

type SequenceManifest = z.infer<typeof manifest>;

export const sequence: ModelKind<typeof manifest> = {
  manifest,
  createInputs,
  gainsFromGpu: true,
  threads: 0,
  batchTokens: 2_048,
  tensors: (rows, length) => ({
    input_ids: padInt64(rows, length, (row) => row.inputIds),
    attention_mask: padInt64(rows, length, (row) => new Int32Array(row.inputIds.length).fill(1)),
    token_type_ids: padInt64(rows, length, (row) => row.tokenTypeIds),
  }),
};

interface Field {
  ids: readonly number[];
  type: number;
}

/**
 * Inputs of a transformer, after CoRet (arXiv 2505.24715): `[C] path signature body`, then for each callee
 * `[DOWN] path \n text`; an issue is `[Q] title text code trace`. Each field has a token type.
 */
async function createInputs(files: ModelFiles, model: SequenceManifest): Promise<InputMaker> {
  const read = await loadTokenizer(files, model.tokenizer.file, model.special.unknown);
  const { special, fields, maxTokens, maxQueryTokens, maxCallees, maxCalleeTokens } = model;

  function tokenize(text: string, limit: number): number[] {
    return read(text.slice(0, limit * CHARACTERS_PER_TOKEN));
  }

  /** What a chunk is made of, its callees last; nothing of it is cut yet. */
  function parts({ path, text, signatureEnd, callees }: EncoderDocument): Part[] {
    const limit = maxTokens;
    const [signature, body] = [text.slice(0, signatureEnd), text.slice(signatureEnd)];
    const own = [
      { role: 'path' as const, text: path, opening: [special.chunk], limit },
      { role: 'signature' as const, text: signature, opening: [], limit },
      { role: 'body' as const, text: body, opening: [], limit },
    ];
    const context = callees.slice(0, maxCallees).map((callee) => {
      const text = `${callee.path}\n${callee.text}`;
      return { role: 'callee' as const, text, opening: [special.down], limit: maxCalleeTokens };
    });
    return [...own, ...context].map((part) => {
      return { ...part, ids: [...part.opening, ...tokenize(part.text, part.limit)] };
    });
  }

  const typeOf = { ...fields, callee: fields.callees };
  return {
    document(document) {
      const made = parts(document).map(({ role, ids, limit }) => ({
        ids: ids.slice(0, limit),
        type: typeOf[role],
      }));
      return rowOf(made, maxTokens);
    },

    query({ fields: issue }) {
      const lists = QUERY_FIELDS.map((name) => tokenize(issue[name], maxQueryTokens));
      lists[0]?.unshift(special.query);
      const lengths = lists.map((ids) => ids.length);
      const sizes = fitting(lengths, maxQueryTokens);
      const made = QUERY_FIELDS.map((name, i) => {
        const [ids = [], size = 0] = [lists[i], sizes[i]];
        const kept = name === 'trace' ? bothEnds(ids, size) : ids.slice(0, size);
        return { ids: kept, type: fields[name] };
      });
      return rowOf(made, maxQueryTokens);
    },

    explain(document) {
      let left = maxTokens;
      return parts(document)
        .filter((part) => part.text !== '')
        .map((part) => {
          const limit = Math.min(part.limit, left);
          left -= Math.min(part.ids.length, limit);
          return cutPart(part, limit, (text) => tokenize(text, part.limit).length);
        });
    },
  };
}

function rowOf(fields: readonly Field[], limit: number): EncoderRow {
  const types = fields.flatMap(({ ids, type }) => ids.map(() => type));
  return {
    inputIds: Int32Array.from(fields.flatMap(({ ids }) => ids).slice(0, limit)),
    tokenTypeIds: Int32Array.from(types.slice(0, limit)),
    tokenWeights: null,
  };
}

/** What is left of each size when the largest are cut to the same, so that all together are at most the limit. */
function fitting(sizes: readonly number[], limit: number): number[] {
  const made = [...sizes];
  const smallestFirst = sizes.map((size, place) => ({ size, place }));
  smallestFirst.sort((a, b) => a.size - b.size || a.place - b.place);
  let left = limit;
  for (const [rank, { size, place }] of smallestFirst.entries()) {
    const kept = Math.min(size, Math.floor(left / (sizes.length - rank)));
    made[place] = kept;
    left -= kept;
  }
  return made;
}

/** The first and last of a traceback's tokens, `size` in all: the call that failed stands at either end. */
function bothEnds(ids: readonly number[], size: number): number[] {
  if (ids.length <= size) return [...ids];
  const last = size >> 1;
  return [...ids.slice(0, size - last), ...ids.slice(ids.length - last)];
}

/** A part of a chunk before it is cut: its tokens, the special ones that open it among them, and how many may stay. */
interface Part {
  role: EncoderPart['role'];
  text: string;
  opening: readonly number[];
  ids: readonly number[];
  limit: number;
}

function cutPart(
  { role, text, ids, opening }: Part,
  limit: number,
  countTokens: (text: string) => number,
): EncoderPart {
  if (ids.length <= limit) return { role, text, tokens: ids.length, cut: 0, cutText: '' };
  // The longest beginning of the text that has no more tokens than fit, by bisection.
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (countTokens(text.slice(0, middle)) <= limit - opening.length) fits = middle;
    else tooLong = middle;
  }
  const [given, cutText] = [text.slice(0, fits), text.slice(fits)];
  return { role, text: given, tokens: limit, cut: ids.length - limit, cutText };
}

/** Nesting of a tokenizer's JSON; those of Hugging Face have less than 10. */
const MAX_TOKENIZER_DEPTH = 50;

/** Loads a Hugging Face tokenizer, without the special tokens that it would put around a text. */
async function loadTokenizer(
  files: ModelFiles,
  name: string,
  unknown: number,
): Promise<(text: string) => number[]> {
  try {
    const bytes = Buffer.from(await files.readText(name));
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const json = parseJson(bytes, { maxDepth: MAX_TOKENIZER_DEPTH });
    const tokenizer = new Tokenizer(json as object, {});
    return (text) => {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false });
      // The library leaves a gap where a word-level vocabulary lacks a word.
      return (ids as (number | undefined)[]).map((id) => id ?? unknown);
    };
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    throw badModel(`${files.path(name)} is not a tokenizer: ${(cause as Error).message}.`, cause);
  }
}
