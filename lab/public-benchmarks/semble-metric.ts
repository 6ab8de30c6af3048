/**
 * NDCG@10 as the benchmark of semble computes it (`benchmarks/metrics.py`): each target counts once, at its first rank, and every
 * target weighs the same. Järvelin & Kekäläinen, ACM Transactions on Information Systems, 2002.
 */
import type { Target } from './semble-data.ts';

export const CUTOFF = 10;

/** Lines of a file that a result shows, 1-based and inclusive. */
export interface ShownLines {
  path: string;
  startLine: number;
  endLine: number;
}

/**
 * Computes the gain of a ranking over the best possible one.
 * @param ranks rank of each target from 1; null for one that is missing
 */
export function computeNdcg(ranks: readonly (number | null)[], cutoff = CUTOFF): number {
  if (ranks.length === 0) return 0;
  const found = new Set(ranks.flatMap((rank) => (rank !== null && rank <= cutoff ? rank : [])));
  const best = Array.from({ length: Math.min(cutoff, ranks.length) }, (_, i) => i + 1);
  return sumGains([...found]) / sumGains(best);
}

const sumGains = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);

/** Finds the rank of each target's file. The lines of a target don't count. */
export function rankTargetFiles(
  files: readonly string[],
  targets: readonly Target[],
): (number | null)[] {
  return targets.map(({ path }) => toRank(files.indexOf(path)));
}

/** Finds the rank of the first result that shows a line of each target, or anything in the file if the target has no lines. */
export function rankTargetLines(
  results: readonly ShownLines[],
  targets: readonly Target[],
): (number | null)[] {
  return targets.map(({ path, lines }) =>
    toRank(
      results.findIndex(
        (result) =>
          result.path === path &&
          (lines === null || (result.startLine <= lines.last && result.endLine >= lines.first)),
      ),
    ),
  );
}

const toRank = (index: number): number | null => (index < 0 ? null : index + 1);
