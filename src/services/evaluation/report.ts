/** Summarizes the outcomes of an evaluation, and compares two such reports. */
import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import type { Evaluation, InstanceOutcome, SkippedInstance } from './evaluate.ts';
import { buildFileReport, FILE_METRICS, type FileReport } from './file-report.ts';
import { METRICS } from './metrics.ts';
import {
  computeBootstrapInterval,
  estimateMean,
  type MetricEstimate,
  mean,
  median,
  runRandomizationTest,
} from './statistics.ts';

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
  /** Recall of all edited files; null if no issue edits a file that counts. */
  files: FileReport | null;
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
      METRICS.map(({ name, of }) => [name, estimateMean(outcomes.map(({ ranks }) => of(ranks)))]),
    ),
  };
}

/** Builds a report. @throws LocusError `bad-input` if there are no outcomes. */
export function buildReport(
  dataset: string,
  { outcomes, files, leftOut }: Evaluation,
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
    files: files.length > 0 ? buildFileReport(files) : null,
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

interface PairedComparison {
  /** Number of instances that both reports have, and agree on what their fixes edit; only these are compared. */
  issues: number;
  /** Number of instances that only one report has. */
  unpaired: number;
  /** Number of instances whose fixes edit something else in one report, as when another version of Locus reads more files. */
  disagreeing: number;
  differences: MetricDifference[];
}

export interface ReportComparison extends PairedComparison {
  /** Comparison of all edited files; null if the reports have no such issue in common. */
  files: PairedComparison | null;
}

/**
 * Compares two reports, instance by instance.
 * @throws LocusError `bad-input` if they have no instance in common whose edited chunks agree
 */
export function compareEvaluations(
  before: ComparedReport,
  after: ComparedReport,
): ReportComparison {
  const compared = comparePairs<ComparedReport['outcomes'][number]>(
    before.outcomes,
    after.outcomes,
    METRICS.map(({ name, of }) => ({ name, of: ({ ranks }) => of(ranks) })),
    ({ edited }) => edited,
  );
  if (!compared) {
    throw badInput(
      'The reports have no instance in common whose edited functions agree.',
      'Create both with locus eval --json, from the same data set.',
    );
  }
  const files = comparePairs<ComparedFiles>(
    before.files?.outcomes ?? [],
    after.files?.outcomes ?? [],
    FILE_METRICS,
    (outcome) => outcome.files.map(({ path }) => path),
  );
  return { ...compared, files };
}

/**
 * Compares the measures of the instances that both lists have. Returns null if there are none.
 * @param getTruth names what the fix of an instance edits
 */
function comparePairs<T extends { instance: string }>(
  before: readonly T[],
  after: readonly T[],
  metrics: readonly { name: string; of(outcome: T): number }[],
  getTruth: (outcome: T) => string[],
): PairedComparison | null {
  const earlier = new Map(before.map((outcome) => [outcome.instance, outcome]));
  const common = after.flatMap((outcome) => {
    const other = earlier.get(outcome.instance);
    return other ? [{ before: other, after: outcome }] : [];
  });
  const key = (outcome: T) => getTruth(outcome).toSorted().join('\n');
  const pairs = common.filter(({ before, after }) => key(before) === key(after));
  if (pairs.length === 0) return null;
  return {
    issues: pairs.length,
    unpaired: before.length + after.length - 2 * common.length,
    disagreeing: common.length - pairs.length,
    differences: metrics.map(({ name, of }) => {
      const differences = pairs.map(({ before, after }) => of(after) - of(before));
      return {
        metric: name,
        before: mean(pairs.map(({ before }) => of(before))),
        after: mean(pairs.map(({ after }) => of(after))),
        interval: computeBootstrapInterval(differences),
        p: runRandomizationTest(differences),
      };
    }),
  };
}

const rank = z.int().min(1).nullable();
const ranks = z.array(rank).min(1);
const comparedFiles = z.object({
  instance: z.string(),
  files: z.array(z.object({ path: z.string(), rank })).min(1),
});
type ComparedFiles = z.output<typeof comparedFiles>;
const comparedReport = z.object({
  outcomes: z.array(
    z.object({
      instance: z.string(),
      edited: z.array(z.string()),
      ranks: z.object({ chunk: ranks, class: ranks, file: ranks }),
    }),
  ),
  files: z.object({ outcomes: z.array(comparedFiles) }).nullish(),
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
