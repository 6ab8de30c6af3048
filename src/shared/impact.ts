/** Query for what a diff may have missed: functions that may have to change too, and the tests to run. */
import { z } from 'zod';
import { reachingTests } from './call-graph.ts';
import { chunkSummary, repositoryPath } from './chunk.ts';
import { MAX_ISSUE } from './limits.ts';

/** Maximum length of the name of a commit. */
const MAX_REVISION = 1000;

/** Without a diff or a commit, the changes of the working tree against HEAD count. */
export const impactRequest = z.object({
  /** Unified diff, as `git diff` prints it. Text around it is ignored. */
  diff: z.string().min(1).max(MAX_ISSUE).optional(),
  /** Commit whose changes count, in any form that git understands. */
  commit: z.string().min(1).max(MAX_REVISION).optional(),
  /** Maximum number of suggestions, best first. */
  limit: z.int().min(1).max(200).default(20),
  /** Maximum number of tests, nearest first. */
  tests: z.int().min(0).max(1000).default(20),
});
export type ImpactRequest = z.output<typeof impactRequest>;

/** Change of a function. `signature` tells that its parameters changed, too. */
const functionChange = z.enum(['added', 'body', 'signature', 'renamed', 'removed']);
export type FunctionChange = z.output<typeof functionChange>;

/** A function that the diff edits. */
const editedFunction = z.object({
  path: repositoryPath,
  qualifiedName: z.string(),
  change: functionChange,
  /** Former qualified name of a renamed function; null for others. */
  formerName: z.string().nullable(),
  /** The function in the index; null if the index does not contain it. */
  chunk: chunkSummary.nullable(),
});
export type EditedFunction = z.output<typeof editedFunction>;

/**
 * Reasons to look at a function, the first listed first. It contains the name of a function that is gone; it calls a function whose
 * signature changed or that is gone; it looks alike; it is the method of a sibling class, an overriding method or the overridden one;
 * past commits changed it together with an edited function; its class extends an edited one.
 */
export const IMPACT_REASONS = [
  'name',
  'call',
  'similar',
  'twin',
  'overrides',
  'overridden',
  'changed',
  'subclass',
] as const;
export type ImpactReason = (typeof IMPACT_REASONS)[number];

/** Minimum strength of reasons, chosen in `lab/notes/2026-11-29-impact.md`. */
export const MIN_STRENGTH: Readonly<Partial<Record<ImpactReason, number>>> = {
  similar: 0.8,
  changed: 0.1,
};

const impactReason = z.object({
  kind: z.enum(IMPACT_REASONS),
  /** Clause without a subject: "calls `load`, whose signature changed". */
  text: z.string(),
  /** Line of the call or of the name; null for other reasons. */
  line: z.number().nullable(),
  /** Strength, comparable only between reasons of the same kind. */
  strength: z.number(),
});

const impactSuggestion = chunkSummary.extend({ reasons: z.array(impactReason) });
export type ImpactSuggestion = z.output<typeof impactSuggestion>;

const impactTest = reachingTests.shape.tests.element
  .omit({ next: true })
  .extend({ inDiff: z.boolean() });
export type ImpactTest = z.output<typeof impactTest>;

export const impact = z.object({
  edited: z.array(editedFunction),
  /** Without functions that the diff edits; the likeliest first. */
  suggestions: z.array(impactSuggestion),
  /** Number of suggestions that the limit left out. */
  hidden: z.number(),
  /** Tests that reach an edited function, nearest first. Tests that the diff edits come first, at distance 0 if nothing is reached. */
  tests: z.array(impactTest),
  hiddenTests: z.number(),
  /** Paths of the diff that are not in the index. */
  unindexed: z.array(repositoryPath),
  /** Number of files whose lines are in the index as the diff shows them, before or after it. */
  placed: z.number(),
  /** Sentences about what was not read or not found in the index; null if there is nothing to say. */
  note: z.string().nullable(),
});
export type Impact = z.output<typeof impact>;
