import { type LevelRanks, METRICS } from '../../src/services/evaluation/metrics.ts';
import { computeBootstrapInterval, mean } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

/** Metrics in the tables of languages. */
export const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@5'].map((name) =>
  assertPresent(
    METRICS.find((one) => one.name === name),
    'a metric',
  ),
);

/** An issue, with the ranks of its edited chunks in each system. */
export interface Measured {
  instance: string;
  repo: string;
  /** Ranks by system. */
  ranks: Record<string, LevelRanks>;
}

/** Returns true if a language model has rewritten the text. */
export function isRewritten({ instance }: Measured): boolean {
  return instance.startsWith('rewritten ');
}

/** Formats the mean with its bootstrap interval. */
export function formatWithInterval(values: readonly number[]): string {
  const [low, high] = computeBootstrapInterval(values);
  return `${mean(values).toFixed(3)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
