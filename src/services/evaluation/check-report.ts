/** Summarizes what checks by a language model change. */
import { approximateTokens } from '../../shared/check.ts';
import type { InstanceOutcome } from './evaluate.ts';
import { compareEvaluations, type ReportComparison } from './report.ts';
import { mean, median } from './statistics.ts';

export interface CheckReport {
  /** The list before the check, and the checked list. */
  comparison: ReportComparison;
  /** Share of issues whose edited chunks are all among the candidates of its requests: the perfect recall that a check can reach. */
  ceiling: number;
  /** Median tokens of request and answer together. */
  tokens: number;
  /** Number of checks that failed, which leaves the list as it is. */
  failed: number;
  /** Share of the candidates that the model says to edit that the fix edits, and share of the edited candidates that the model names. */
  precision: number;
  recall: number;
}

/** Returns null if no list was checked. */
export function reportChecks(outcomes: readonly InstanceOutcome[]): CheckReport | null {
  const checked = outcomes.flatMap(({ check, ...outcome }) =>
    check ? [{ ...outcome, check }] : [],
  );
  if (checked.length === 0) return null;
  const before = checked.map(({ check, ...outcome }) => ({ ...outcome, ranks: check.before }));
  const sum = (key: 'right' | 'named' | 'edited') =>
    checked.reduce((total, { check }) => total + check.counts[key], 0);
  return {
    comparison: compareEvaluations({ outcomes: before }, { outcomes: checked }),
    ceiling: mean(checked.map(({ check }) => Number(check.isReachable))),
    tokens: median(
      checked.map(({ check: { size } }) => approximateTokens(size.request + size.answer)),
    ),
    failed: checked.filter(({ check }) => check.failure !== null).length,
    precision: sum('right') / sum('named'),
    recall: sum('right') / sum('edited'),
  };
}
