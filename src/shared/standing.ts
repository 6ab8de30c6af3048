/**
 * How a repository stands with an issue beside others. Scores are standardised over the candidates of one search, so that
 * those of two repositories cannot be compared; this can.
 */
export interface Standing {
  /** The values that a confidence is computed from, by name; see `rank/confidence.ts` in the engine's search. */
  evidence: Record<string, number>;
  /** Chunks of the repository. */
  chunks: number;
  /** Of each telling word of the issue, how many chunks have it; words that none has are among them. */
  words: Record<string, number>;
  /** What the issue names that is defined or lies here, as it is written: names, paths, frames of tracebacks. */
  named: string[];
  /** By place in the list: the probability of being edited, given that the repository has the answer (softmax of scores). */
  shares: number[];
}
