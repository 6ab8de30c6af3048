/** The query for exact text or a regular expression in the indexed files. */
import { z } from 'zod';
import { chunkSummary, FILE_ROLES, repositoryPath } from './chunk.ts';
import { DEFAULT_GREP_RESULTS, MAX_GLOBS, MAX_GREP_PATTERN, MAX_GREP_RESULTS } from './limits.ts';

/** Range in the `text` of a line: 0-based UTF-16 units; the end is exclusive. */
const matchSpan = z.tuple([z.number(), z.number()]);

const matchingLine = z.object({
  line: z.number(),
  /** Column of the first match in the whole line. */
  column: z.number(),
  /** Line without its indentation, or the part of a long line around the first match. */
  text: z.string(),
  /** Matches in `text`. */
  spans: z.array(matchSpan),
});
export type MatchingLine = z.output<typeof matchingLine>;

/** Matching lines in order, with the number of further ones that the limit left out. */
const matchingLines = { lines: z.array(matchingLine), hidden: z.number() };

/** The first lines that match in a function, class or section. */
const matchingFunction = chunkSummary.extend({
  ...matchingLines,
  /** Part of its own name that matches. */
  named: z.enum(['whole', 'part', 'none']),
  /** Number of functions that refer to it. */
  callers: z.number(),
});
export type MatchingFunction = z.output<typeof matchingFunction>;

/** The first lines of a file that match outside its functions, classes and sections. */
const matchingFile = z.object({
  path: repositoryPath,
  role: z.enum(FILE_ROLES),
  ...matchingLines,
});
export type MatchingFile = z.output<typeof matchingFile>;

export const grepRequest = z.object({
  pattern: z
    .string()
    .min(1)
    .max(MAX_GREP_PATTERN)
    // The argument of a program cannot have NUL.
    .regex(/^[^\0\n\r]*$/, { error: 'no line break or NUL is allowed; search for one line' }),
  /** True if the pattern is a regular expression in the syntax of Rust's crate regex, false if it is exact text. */
  isRegex: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  /** Globs as in a .gitignore; a file that none of them matches is not searched. */
  paths: z.array(z.string().min(1).max(1000)).max(MAX_GLOBS).optional(),
  /** Maximum number of functions, and of files with matches outside functions. */
  limit: z.int().min(1).max(MAX_GREP_RESULTS).default(DEFAULT_GREP_RESULTS),
  /** Maximum number of lines of each. */
  lines: z.int().min(1).max(1000).default(5),
});

export const grepResponse = z.object({
  functions: z.array(matchingFunction),
  files: z.array(matchingFile),
  /** Totals, with what the limits left out. `outside`: files with matches outside functions; `files`: all files with matches. */
  total: z.object({
    matches: z.number(),
    lines: z.number(),
    functions: z.number(),
    outside: z.number(),
    files: z.number(),
    searched: z.number(),
  }),
  /** Sentences about what was not searched; null if everything was. */
  note: z.string().nullable(),
});
export type GrepResponse = z.output<typeof grepResponse>;
