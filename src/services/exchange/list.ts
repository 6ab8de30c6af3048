/** The list format: a search's results as a file that another checkout, or another person, can open again. */
import { z } from 'zod';
import { CHUNK_KINDS } from '../../shared/chunk.ts';
import { MAX_ISSUE, MAX_NOTE, MOST_CHUNKS } from '../../shared/limits.ts';
import { MARKS } from '../../shared/marks.ts';

export const LIST_FORMAT = 'locus-export';
export const LIST_VERSION = 2;

const mark = z.enum(MARKS).meta({
  description:
    'What a person said of it: to be edited, worth reading for the fix, or not what the issue is about.',
});

const line = z.int().min(1);

const evidence = z
  .record(
    z.string(),
    z.object({
      family: z.string().meta({ description: 'What kind of evidence it is: words, history, …' }),
      title: z.string().meta({ description: 'The signal’s name for people.' }),
      value: z.number().meta({ description: 'The signal as measured: a cosine, a count, 0 or 1.' }),
      measured: z.string().meta({ description: '`value` as people read it.' }),
      contribution: z.number().meta({ description: 'What it added to the score.' }),
      sentence: z.string().nullable().meta({
        description: 'What speaks for the chunk, in words; null for what it merely is.',
      }),
      words: z
        .array(z.object({ word: z.string(), score: z.number(), of: z.string().optional() }))
        .optional(),
      fields: z.array(z.object({ field: z.string(), score: z.number() })).optional(),
    }),
  )
  .meta({ description: 'By signal; the contributions add up to the score.' });

const listEntry = z
  .object({
    rank: line
      .nullable()
      .meta({ description: 'From 1; null for what was marked and is not in the ranking.' }),
    score: z.number(),
    path: z
      .string()
      .min(1)
      .meta({ description: 'Relative to the repository, with forward slashes.' }),
    qualifiedName: z.string().min(1).meta({
      description: 'Outer.Inner.method; <module> for the code of a file outside any definition.',
    }),
    ordinal: z.int().min(0).meta({
      description:
        '0 for the first definition of this name in the file, 1 for its first redefinition, and so on.',
    }),
    kind: z.enum(CHUNK_KINDS),
    language: z.string().optional().meta({ description: 'Of the file: `python`.' }),
    startLine: line.meta({ description: '1-based, inclusive.' }),
    endLine: line.meta({ description: '1-based, inclusive.' }),
    contentHash: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .meta({
        description: 'SHA-1 of the normalised text, by which an import finds code that moved.',
      }),
    evidence,
    read: z.literal(true).optional().meta({
      description: 'The second step read it; its score compares it with the others that were read.',
    }),
    mark: mark.optional(),
    note: z.string().max(MAX_NOTE).optional(),
    code: z.string().optional().meta({ description: 'Its code, where it was asked for.' }),
    permalink: z.string().optional().meta({
      description: 'Its lines at the repository’s host, where the host has them.',
    }),
    link: z.string().optional().meta({
      description: 'Opens it in Locus, wherever the repository lies on that machine.',
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
      commit: z
        .string()
        .nullable()
        .meta({ description: 'The commit searched, or the one checked out; null without git.' }),
      workingTree: z.boolean().meta({
        description: 'True when the files on disk were searched, which may differ from the commit.',
      }),
      files: z.int().min(0),
      chunks: z.int().min(0),
    }),
    issue: z.object({ title: z.string(), text: z.string().max(MAX_ISSUE) }),
    model: z.object({ id: z.string(), version: z.string(), ranker: z.string() }),
    refined: z
      .object({ read: z.int().min(1), of: z.int().min(1), models: z.array(z.string()) })
      .nullable()
      .optional()
      .meta({
        description:
          'What was read of the first results before they were ranked again, and by which models; null for the first list.',
      }),
    partial: z
      .boolean()
      .meta({ description: 'True when the repository was not fully indexed yet.' }),
    chunks: z.array(listEntry).max(MOST_CHUNKS).meta({ description: 'Best first.' }),
  })
  .meta({
    title: 'Locus list of results',
    description:
      'Where to edit for an issue: ranked functions, methods and classes of a repository, as `locus export --format json` writes it and `locus import` reads it.',
  });
export type LocusList = z.infer<typeof locusList>;

/** The JSON Schema (draft 2020-12) of the list format; `docs/schema/locus-export.schema.json` is this. */
export function listJsonSchema(): object {
  // The published schema says what is required and lets later minor versions add fields, as the reader does.
  return z.toJSONSchema(locusList, { io: 'input' });
}
