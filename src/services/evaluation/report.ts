/** Summarizes the outcomes of an evaluation, and compares two such reports. */
import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import type { InstanceOutcome, SkippedInstance } from './evaluate.ts';
import { METRICS } from './metrics.ts';
import { computeBootstrapInterval, mean, median, runRandomizationTest } from './statistics.ts';

export interface MetricEstimate {
  mean: number;
  /** 95% confidence interval. */
  interval: [low: number, high: number];
}

export interface EvaluationSummary {
  issues: number;
  /** Mean numbers of candidates and of edited chunks for each issue. */
  chunks: number;
  edited: number;
  seconds: { index: number; search: { median: number; max: number } };
  /** By name, in the order of `METRICS`. */
  metrics: Record<string, MetricEstimate>;
}

export interface EvaluationReport {
  dataset: string;
  system: string;
  all: EvaluationSummary;
  byRepository: Record<string, EvaluationSummary>;
  leftOut: SkippedInstance[];
  outcomes: InstanceOutcome[];
}

function summarize(outcomes: readonly InstanceOutcome[]): EvaluationSummary {
  const search = outcomes.map(({ seconds }) => seconds.search);
  return {
    issues: outcomes.length,
    chunks: mean(outcomes.map(({ chunks }) => chunks)),
    edited: mean(outcomes.map(({ edited }) => edited.length)),
    seconds: {
      index: mean(outcomes.map(({ seconds }) => seconds.index)),
      search: { median: median(search), max: Math.max(...search) },
    },
    metrics: Object.fromEntries(
      METRICS.map(({ name, of }) => {
        const values = outcomes.map(({ ranks }) => of(ranks));
        return [name, { mean: mean(values), interval: computeBootstrapInterval(values) }];
      }),
    ),
  };
}

/** Builds a report. @throws LocusError `bad-input` if there are no outcomes. */
export function buildReport(
  dataset: string,
  outcomes: InstanceOutcome[],
  leftOut: SkippedInstance[],
): EvaluationReport {
  if (outcomes.length === 0) {
    const reasons = Object.entries(Object.groupBy(leftOut, ({ reason }) => reason));
    const counts = reasons.map(([reason, left]) => `${reason}: ${left.length}`).join(', ');
    throw badInput(
      `No instance of ${dataset} could be evaluated (${counts}).`,
      'Give a folder with a clone of each repository, named owner__name.',
    );
  }
  const byRepository = Map.groupBy(outcomes, ({ repo }) => repo);
  return {
    dataset,
    system: [...new Set(outcomes.map(({ system }) => system))].join('; '),
    all: summarize(outcomes),
    byRepository: Object.fromEntries(
      [...byRepository].sort().map(([repo, some]) => [repo, summarize(some)]),
    ),
    leftOut,
    outcomes,
  };
}

interface MetricDifference {
  metric: string;
  before: number;
  after: number;
  /** Interval of `after - before`. See `computeBootstrapInterval` and `runRandomizationTest`. */
  interval: [low: number, high: number];
  p: number;
}

export interface ReportComparison {
  /** Number of instances that both reports have; only these are compared. */
  issues: number;
  /** Number of instances that only one report has. */
  unpaired: number;
  differences: MetricDifference[];
}

/**
 * Compares two reports, instance by instance.
 * @throws LocusError `bad-input` if they have no instance in common, or disagree about the chunks that an instance edits
 */
export function compareEvaluations(
  before: ComparedReport,
  after: ComparedReport,
): ReportComparison {
  const earlier = new Map(before.outcomes.map((outcome) => [outcome.instance, outcome]));
  const pairs = after.outcomes.flatMap((outcome) => {
    const other = earlier.get(outcome.instance);
    return other ? [{ before: other, after: outcome }] : [];
  });
  const odd = pairs.find(({ before, after }) => {
    return before.edited.toSorted().join('\n') !== after.edited.toSorted().join('\n');
  });
  if (pairs.length === 0 || odd) {
    throw badInput(
      odd
        ? `The reports disagree about the chunks that ${odd.after.instance} edits.`
        : 'The reports have no instance in common.',
      'Create both with locus eval --json, from the same data set and with the same version of Locus.',
    );
  }
  return {
    issues: pairs.length,
    unpaired: before.outcomes.length + after.outcomes.length - 2 * pairs.length,
    differences: METRICS.map(({ name, of }) => {
      const differences = pairs.map(({ before, after }) => of(after.ranks) - of(before.ranks));
      return {
        metric: name,
        before: mean(pairs.map(({ before }) => of(before.ranks))),
        after: mean(pairs.map(({ after }) => of(after.ranks))),
        interval: computeBootstrapInterval(differences),
        p: runRandomizationTest(differences),
      };
    }),
  };
}

const ranks = z.array(z.int().min(1).nullable()).min(1);
const comparedReport = z.object({
  outcomes: z.array(
    z.object({
      instance: z.string(),
      edited: z.array(z.string()),
      ranks: z.object({ chunk: ranks, class: ranks, file: ranks }),
    }),
  ),
});
export type ComparedReport = z.output<typeof comparedReport>;

/** Parses a report that `locus eval --json` printed. @throws LocusError `bad-input` if it is something else. */
export function parseReport(text: string, name: string): ComparedReport {
  try {
    return comparedReport.parse(JSON.parse(text));
  } catch (cause) {
    throw badInput(
      `${name} is not a report of locus eval.`,
      'Create it with locus eval --json ... > report.json.',
      { cause },
    );
  }
}
