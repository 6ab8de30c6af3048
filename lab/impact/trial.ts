/** One trial: the functions that `impact` suggests for a commit of which one edited function is hidden. */
import { z } from 'zod';

/** A suggestion: the address of the function, and the strength of each reason by its kind. */
const suggestion = z.object({ address: z.string(), reasons: z.record(z.string(), z.number()) });
export type Suggestion = z.output<typeof suggestion>;

export const trial = z.object({
  repository: z.string(),
  commit: z.string(),
  /** Address of the hidden function. */
  hidden: z.string(),
  /** Number of functions that the commit edits. */
  edited: z.number(),
  /** In the order of the answer. */
  suggestions: z.array(suggestion),
  /** Other functions in the files of edited ones, the nearest to an edited line first. */
  neighbors: z.array(z.string()),
  /** Callers and callees of edited functions, without edited ones. */
  callers: z.array(z.string()),
  callees: z.array(z.string()),
});
export type Trial = z.output<typeof trial>;
