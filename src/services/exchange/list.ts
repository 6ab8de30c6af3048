/** The list format: search results as a file that other people can open, in other checkouts. */
import { z } from 'zod';
import { MAX_CHECK_REASON } from '../../shared/check.ts';
import { CHUNK_KINDS } from '../../shared/chunk-kind.ts';
import { MAX_CHUNKS, MAX_ISSUE, MAX_MODEL, MAX_NOTE } from '../../shared/limits.ts';
import { MARKS } from '../../shared/marks.ts';

export const LIST_FORMAT = 'locus-export';
export const LIST_VERSION = 2;

const mark = z.enum(MARKS).meta({
  description:
    'A person’s mark: to be edited, worth reading for the fix, or not relevant to the issue.',
});

const line = z.int().min(1);

const evidence = z
  .record(
    z.string(),
    z.object({
      family: z.string().meta({ description: 'Kind of evidence: words, history, …' }),
      title: z.string().meta({ description: 'Name of the signal, for people.' }),
      value: z.number().meta({ description: 'Value of the signal: a cosine, a count, 0 or 1.' }),
      measured: z.string().meta({ description: '`value`, formatted for people.' }),
      contribution: z.number().meta({ description: 'Contribution to the score.' }),
      sentence: z.string().nullable().meta({
        description: 'Reason in words; null if the signal is not a reason.',
      }),
      words: z
        .array(z.object({ word: z.string(), score: z.number(), of: z.string().optional() }))
        .optional(),
      fields: z.array(z.object({ field: z.string(), score: z.number() })).optional(),
    }),
  )
  .meta({ description: 'Evidence by signal. The contributions add up to the score.' });

const verdict = z
  .object({
    edit: z.boolean().meta({ description: 'True if the fix edits it, according to the model.' }),
    reason: z.string().max(MAX_CHECK_REASON).meta({
      description: 'Reason for that: one line of text from the model, or empty.',
    }),
    rankBefore: line.meta({ description: 'Rank without the check.' }),
    changed: z.literal(true).optional().meta({
      description: 'True if the code was changed since the check.',
    }),
  })
  .meta({ description: 'Opinion of the language model that checked the list.' });

const checkHead = z
  .object({
    model: z.string().max(MAX_MODEL),
    place: z.string().max(MAX_MODEL).meta({
      description: 'Where the model runs: `on this machine`, that of the exporter, or `at` a host.',
    }),
    checkedAt: z.iso.datetime(),
    order: z.enum(['checked', 'before']).meta({
      description:
        '`checked` if the ranks are in the model’s order, `before` if in the one before.',
    }),
  })
  .meta({ description: 'Who checked the list.' });

const listEntry = z
  .object({
    rank: line
      .nullable()
      .meta({ description: 'From 1; null for a marked chunk that is not in the ranking.' }),
    score: z.number(),
    path: z
      .string()
      .min(1)
      .meta({ description: 'Relative to the repository, with forward slashes.' }),
    qualifiedName: z.string().min(1).meta({
      description: 'Outer.Inner.method; <module> for lines of a file outside any definition.',
    }),
    ordinal: z.int().min(0).meta({
      description:
        '0 for the first definition of this name in the file, 1 for its first redefinition, and so on.',
    }),
    kind: z.enum(CHUNK_KINDS),
    language: z
      .string()
      .optional()
      .meta({ description: 'Language of the file, such as `python`.' }),
    startLine: line.meta({ description: '1-based, inclusive.' }),
    endLine: line.meta({ description: '1-based, inclusive.' }),
    contentHash: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .meta({
        description: 'SHA-1 of the normalized text. An import finds moved code by it.',
      }),
    evidence,
    reranked: z.literal(true).optional().meta({
      description: 'True if the chunk was reranked. Its score is comparable among reranked chunks.',
    }),
    check: verdict.optional(),
    mark: mark.optional(),
    note: z.string().max(MAX_NOTE).optional(),
    code: z.string().optional().meta({ description: 'Code of the chunk, if requested.' }),
    permalink: z.string().optional().meta({
      description: 'URL of the lines on the code host, if it has the same lines.',
    }),
    link: z.string().optional().meta({
      description: 'Deep link that opens the chunk in Locus on any machine with the repository.',
    }),
  })
  .meta({ id: 'entry' });
export type ListEntry = z.infer<typeof listEntry>;

export const locusList = z
  .object({
    format: z.literal(LIST_FORMAT),
    version: z.literal(LIST_VERSION),
    createdBy: z.object({ name: z.string(), version: z.string() }),
    createdAt: z.iso.datetime().optional(),
    repository: z.object({
      name: z.string(),
      commit: z.string().nullable().meta({
        description: 'Commit that was searched, or that is checked out; null without Git.',
      }),
      workingTree: z.boolean().meta({
        description: 'True if the files on disk were searched, which may differ from the commit.',
      }),
      files: z.int().min(0),
      chunks: z.int().min(0),
    }),
    issue: z.object({ title: z.string(), text: z.string().max(MAX_ISSUE) }),
    model: z.object({ id: z.string(), version: z.string(), ranker: z.string() }),
    reranking: z
      .object({ count: z.int().min(1), of: z.int().min(1), models: z.array(z.string()) })
      .nullable()
      .optional()
      .meta({
        description:
          'How many of the first results were reranked, and by which models; null for an initial ranking.',
      }),
    check: checkHead.optional(),
    partial: z.boolean().meta({ description: 'True if the repository was not fully indexed yet.' }),
    notes: z.array(z.string()).optional().meta({
      description:
        'Sentences about the whole list, such as which files that the issue mentions were not read.',
    }),
    chunks: z.array(listEntry).max(MAX_CHUNKS).meta({ description: 'Best first.' }),
  })
  .meta({
    title: 'Locus list of results',
    description:
      'Ranked functions, methods and classes of a repository that a fix for an issue may edit, as `locus export --format json` writes and `locus import` reads.',
  });
export type LocusList = z.infer<typeof locusList>;

/** Returns the JSON Schema (draft 2020-12) of the list format, as in `docs/schema/locus-export.schema.json`. */
export function listJsonSchema(): object {
  // The published schema requires the known fields and allows others, so that later minor versions can add fields.
  return z.toJSONSchema(locusList, { io: 'input' });
}
