/**
 * Fields of the manifests of published models: plain-text encoders and rerankers that score pairs. A module of its own, since
 * only these models need it.
 */
import { z } from 'zod';
import { fileName, inputLength } from '../manifest-fields.ts';
import { listPlaceholders } from './prompt.ts';

const MAX_TEMPLATE = 4_000;

/** Returns the schema of a template that may contain these placeholders, and must contain the last one. */
const template = (...placeholders: string[]) =>
  z
    .string()
    .max(MAX_TEMPLATE)
    .refine(
      (text) => {
        const found = listPlaceholders(text);
        const last = placeholders.at(-1) ?? '';
        return found.includes(last) && found.every((name) => placeholders.includes(name));
      },
      `must have {${placeholders.at(-1)}}, and no placeholders but {${placeholders.join('}, {')}}`,
    );

const chunkTemplate = template('path', 'code');
const issueTemplate = template('issue');

const common = {
  tokenizer: z.object({
    type: z.literal('huggingface'),
    file: fileName,
    /** True if the tokenizer adds its own special tokens around a text. */
    addSpecial: z.boolean().default(true),
  }),
  templates: z
    .object({
      chunk: chunkTemplate.default('{path}\n{code}'),
      issue: issueTemplate.default('{issue}'),
    })
    .prefault({}),
  maxTokens: inputLength,
  maxQueryTokens: inputLength,
};

/** Fields of a plain-text encoder's manifest. */
export const textManifest = z.object({
  ...common,
  /** Vector of a text: the mean over its tokens, its first token, its last one, or what the model itself returns for each text. */
  pooling: z.enum(['mean', 'first', 'last', 'none']),
});

export type TextManifest = z.infer<typeof textManifest>;

/** Fields of a reranker's manifest that scores pairs of an issue and a chunk. */
export const pairManifest = z.object({
  ...common,
  /** A pair has one score. */
  dimensions: z.literal(1).default(1),
  role: z.literal('rerank').default('rerank'),
  /** One text for both. Without it, the tokenizer joins the two templates as it joins a pair of texts. */
  prompt: template('path', 'code', 'issue')
    .refine((text) => listPlaceholders(text).includes('code'), 'must have {code}')
    .optional(),
  /** One logit for a pair, or two tokens of a decoder: the score is the difference of their logits after the last token. */
  score: z.union([
    z.literal('logit'),
    z.object({ yes: z.string().min(1).max(50), no: z.string().min(1).max(50) }),
  ]),
});

export type PairManifest = z.infer<typeof pairManifest>;
