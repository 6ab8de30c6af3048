import { z } from 'zod';
import { fileName, inputLength, typeId } from '../manifest-fields.ts';

/** Fields of a transformer's manifest. */
export const sequenceManifest = z.object({
  tokenizer: z.object({ type: z.literal('huggingface'), file: fileName }),
  special: z.object({
    /** `[C]`, which starts a chunk. */
    chunk: typeId,
    /** `[DOWN]`, which starts a callee. */
    down: typeId,
    /** `[Q]`, which starts an issue. */
    query: typeId,
    /** Replaces words that are missing from the vocabulary. */
    unknown: typeId,
  }),
  maxTokens: inputLength,
  maxQueryTokens: inputLength,
  maxCallees: z.int().min(0).max(64).default(4),
  maxCalleeTokens: inputLength.default(48),
  /** Token types by field. By default there are two: the chunk or issue itself, and the chunk's callees. */
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

export type SequenceManifest = z.infer<typeof sequenceManifest>;
