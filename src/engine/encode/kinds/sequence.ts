import type { EncoderPart } from '../../../shared/detail.ts';
import type { ModelFiles } from '../model-files.ts';
import { type ModelKind, padInt64 } from '../model-kind.ts';
import { loadTokenizer } from '../tokenizer.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';
import type { SequenceManifest } from './sequence-manifest.ts';

/** Maximum number of characters for each token of a limit. Longer text is cut before tokenizing, to bound the work. */
const MAX_CHARACTERS_PER_TOKEN = 16;

/** Fields of an issue, in the order of the model's input. */
const QUERY_FIELDS = ['title', 'text', 'code', 'trace'] as const;

export const sequence: ModelKind<SequenceManifest> = {
  createInputs,
  benefitsFromGpu: true,
  threads: 0,
  batchTokens: 2_048,
  tensors: (rows, length) => ({
    input_ids: padInt64(rows, length, (row) => row.inputIds),
    attention_mask: padInt64(rows, length, (row) => new Int32Array(row.inputIds.length).fill(1)),
    token_type_ids: padInt64(rows, length, (row) => row.tokenTypeIds),
  }),
};

interface FieldTokens {
  ids: readonly number[];
  type: number;
}

/**
 * Creates the input maker of a transformer, after CoRet (arXiv 2505.24715). A chunk is `[C] path signature body`, then for
 * each callee `[DOWN] path \n text`. An issue is `[Q] title text code trace`. Each field has a token type.
 */
async function createInputs(files: ModelFiles, model: SequenceManifest): Promise<InputMaker> {
  const read = await loadReader(files, model.tokenizer.file, model.special.unknown);
  const { special, fields, maxTokens, maxQueryTokens, maxCallees, maxCalleeTokens } = model;

  function tokenize(text: string, limit: number): number[] {
    return read(text.slice(0, limit * MAX_CHARACTERS_PER_TOKEN));
  }

  /** Splits a document into tokenized parts, its callees last. They are not cut yet. */
  function splitDocument({ path, text, signatureEnd, callees }: EncoderDocument): DocumentPart[] {
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

  const types = { ...fields, callee: fields.callees };
  return {
    buildDocument(document) {
      const parts = splitDocument(document).map(({ role, ids, limit }) => ({
        ids: ids.slice(0, limit),
        type: types[role],
      }));
      return createRow(parts, maxTokens);
    },

    buildQuery({ fields: issue }) {
      const lists = QUERY_FIELDS.map((name) => tokenize(issue[name], maxQueryTokens));
      lists[0]?.unshift(special.query);
      const lengths = lists.map((ids) => ids.length);
      const sizes = fitSizes(lengths, maxQueryTokens);
      const cutFields = QUERY_FIELDS.map((name, i) => {
        const [ids = [], size = 0] = [lists[i], sizes[i]];
        const cut = name === 'trace' ? takeBothEnds(ids, size) : ids.slice(0, size);
        return { ids: cut, type: fields[name] };
      });
      return createRow(cutFields, maxQueryTokens);
    },

    explain(document) {
      let left = maxTokens;
      return splitDocument(document)
        .filter((part) => part.text !== '')
        .map((part) => {
          const limit = Math.min(part.limit, left);
          left -= Math.min(part.ids.length, limit);
          return cutPart(part, limit, (text) => tokenize(text, part.limit).length);
        });
    },
  };
}

function createRow(fields: readonly FieldTokens[], limit: number): EncoderRow {
  const types = fields.flatMap(({ ids, type }) => ids.map(() => type));
  return {
    inputIds: Int32Array.from(fields.flatMap(({ ids }) => ids).slice(0, limit)),
    tokenTypeIds: Int32Array.from(types.slice(0, limit)),
    tokenWeights: null,
  };
}

/** Cuts the largest sizes to a common size, so that the sum of all is at most the limit. */
function fitSizes(sizes: readonly number[], limit: number): number[] {
  const cut = [...sizes];
  const smallestFirst = sizes.map((size, index) => ({ size, index }));
  smallestFirst.sort((a, b) => a.size - b.size || a.index - b.index);
  let left = limit;
  for (const [rank, { size, index }] of smallestFirst.entries()) {
    const fitted = Math.min(size, Math.floor(left / (sizes.length - rank)));
    cut[index] = fitted;
    left -= fitted;
  }
  return cut;
}

/** Returns the first and last tokens of a traceback, `size` in all. The call that failed may be at either end. */
function takeBothEnds(ids: readonly number[], size: number): number[] {
  if (ids.length <= size) return [...ids];
  const last = size >> 1;
  return [...ids.slice(0, size - last), ...ids.slice(ids.length - last)];
}

/** A part of a document before it is cut. */
interface DocumentPart {
  role: EncoderPart['role'];
  text: string;
  /** Special tokens at the start. */
  opening: readonly number[];
  /** All tokens, including the special ones. */
  ids: readonly number[];
  /** Maximum number of tokens. */
  limit: number;
}

function cutPart(
  { role, text, ids, opening }: DocumentPart,
  limit: number,
  countTokens: (text: string) => number,
): EncoderPart {
  if (ids.length <= limit) return { role, text, tokens: ids.length, cut: 0, cutText: '' };
  // Finds the longest prefix of the text whose tokens fit, by bisection.
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (countTokens(text.slice(0, middle)) <= limit - opening.length) fits = middle;
    else tooLong = middle;
  }
  const [given, cutText] = [text.slice(0, fits), text.slice(fits)];
  return { role, text: given, tokens: limit, cut: ids.length - limit, cutText };
}

/** Loads a tokenizer. Special tokens that it would add around a text are left out. */
const loadReader = (
  files: ModelFiles,
  name: string,
  unknown: number,
): Promise<(text: string) => number[]> =>
  loadTokenizer(files, name, (json, Tokenizer) => {
    const tokenizer = new Tokenizer(json, {});
    return (text) => {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false });
      // The library leaves a gap for a word that is missing from a word-level vocabulary.
      return (ids as (number | undefined)[]).map((id) => id ?? unknown);
    };
  });
