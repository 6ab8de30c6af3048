import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { EncoderPart } from '../../../shared/detail.ts';
import { LocusError } from '../../../shared/errors.ts';
import { count, fileName, typeId } from '../fields.ts';
import { type ModelKind, padInt64 } from '../kind.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';

/** Token types: the chunk itself, and the context that its callees are. */
const CHUNK = 0;
const CONTEXT = 1;

/** Text this much longer than a limit in tokens is cut before it is tokenized, to bound the work. */
const CHARACTERS_PER_TOKEN = 16;

const manifest = z.object({
  tokenizer: z.object({ type: z.literal('huggingface'), file: fileName }),
  /** Token ids of the special tokens. */
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
  maxTokens: count,
  maxQueryTokens: count,
  maxCallees: z.int().min(0).default(4),
  maxCalleeTokens: count.default(48),
});

type SequenceManifest = z.infer<typeof manifest>;

/** Transformers over a token sequence. */
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

/**
 * Inputs of a transformer, after CoRet (arXiv 2505.24715): `[C] path \n text`, then for each callee
 * `[DOWN] path \n text` with token type 1; an issue is `[Q] text`.
 */
async function createInputs(folder: string, model: SequenceManifest): Promise<InputMaker> {
  const tokenize = await loadTokenizer(join(folder, model.tokenizer.file), model.special.unknown);
  const { special, maxTokens, maxCalleeTokens } = model;

  function opened(opening: number, text: string, limit: number): number[] {
    return [opening, ...tokenize(text.slice(0, limit * CHARACTERS_PER_TOKEN))];
  }

  function chunk(document: EncoderDocument): number[] {
    return opened(special.chunk, `${document.path}\n${document.text}`, maxTokens);
  }

  function callees(document: EncoderDocument): { text: string; ids: number[] }[] {
    return document.callees.slice(0, model.maxCallees).map((callee) => {
      const text = `${callee.path}\n${callee.text}`;
      return { text, ids: opened(special.down, text, maxCalleeTokens) };
    });
  }

  return {
    document(document): EncoderRow {
      const own = chunk(document);
      const context = callees(document).flatMap(({ ids }) => ids.slice(0, maxCalleeTokens));
      const inputIds = Int32Array.from([...own, ...context].slice(0, maxTokens));
      const tokenTypeIds = new Int32Array(inputIds.length).fill(CONTEXT);
      return {
        inputIds,
        tokenTypeIds: tokenTypeIds.fill(CHUNK, 0, own.length),
        tokenWeights: null,
      };
    },

    query(issue) {
      const ids = opened(special.query, issue.text, model.maxQueryTokens).slice(
        0,
        model.maxQueryTokens,
      );
      return {
        inputIds: Int32Array.from(ids),
        tokenTypeIds: new Int32Array(ids.length),
        tokenWeights: null,
      };
    },

    explain(document) {
      const { path, text, signatureEnd } = document;
      const signature = text.slice(0, signatureEnd);
      // Tokens of a part: those of everything up to its end, less those of the parts before it.
      const pathEnd = opened(special.chunk, `${path}\n`, maxTokens).length;
      const signatureLast = opened(special.chunk, `${path}\n${signature}`, maxTokens).length;
      const last = chunk(document).length;
      const parts: Part[] = [
        { role: 'path', text: path, tokens: pathEnd, opening: 1 },
        { role: 'signature', text: signature, tokens: signatureLast - pathEnd, opening: 0 },
        { role: 'body', text: text.slice(signatureEnd), tokens: last - signatureLast, opening: 0 },
      ];
      for (const { text, ids } of callees(document)) {
        parts.push({ role: 'callee', text, tokens: ids.length, opening: 1 });
      }
      let left = maxTokens;
      return parts
        .filter((part) => part.text !== '')
        .map((part) => {
          const limit = part.role === 'callee' ? Math.min(maxCalleeTokens, left) : left;
          left -= Math.min(part.tokens, limit);
          return cutPart(part, limit, tokenize);
        });
    },
  };
}

/** A part before it is cut; `opening` is 1 where a special token stands in front of the text. */
interface Part {
  role: EncoderPart['role'];
  text: string;
  tokens: number;
  opening: number;
}

/** The part as far as `limit` tokens reach. */
function cutPart(
  { role, text, tokens, opening }: Part,
  limit: number,
  tokenize: (text: string) => number[],
): EncoderPart {
  if (tokens <= limit) return { role, text, tokens, cut: 0, cutText: '' };
  // The longest beginning of the text that has no more tokens than fit, by bisection.
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (tokenize(text.slice(0, middle)).length <= limit - opening) fits = middle;
    else tooLong = middle;
  }
  const [given, cutText] = [text.slice(0, fits), text.slice(fits)];
  return { role, text: given, tokens: limit, cut: tokens - limit, cutText };
}

/** A Hugging Face tokenizer, without the special tokens that it would put around a text. */
async function loadTokenizer(path: string, unknown: number): Promise<(text: string) => number[]> {
  try {
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const tokenizer = new Tokenizer(JSON.parse(await readFile(path, 'utf8')), {});
    return (text) => {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false });
      // The library leaves a gap where a word-level vocabulary lacks a word.
      return (ids as (number | undefined)[]).map((id) => id ?? unknown);
    };
  } catch (cause) {
    throw new LocusError(
      'bad-model',
      `${path} is not a tokenizer: ${(cause as Error).message}`,
      'Restore the model folder, or choose another model.',
      { cause },
    );
  }
}
