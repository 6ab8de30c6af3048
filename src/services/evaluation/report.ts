/** From the outcomes of issues to the figures of a table, and the comparison of two such reports. */
import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import type { LeftOut, Outcome } from './evaluate.ts';
import { METRICS } from './metrics.ts';
import { bootstrapInterval, mean, median, randomisationTest } from './statistics.ts';

export interface Estimate {
  mean: number;
  /** 95%. */
  interval: [low: number, high: number];
}

export interface Summary {
  issues: number;
  /** Means of candidates and of edited chunks an issue. */
  chunks: number;
  edited: number;
  seconds: { index: number; search: { median: number; max: number } };
  /** By name, in the order of `METRICS`. */
  metrics: Record<string, Estimate>;
}

export interface EvaluationReport {
  dataset: string;
  system: string;
  all: Summary;
  byRepository: Record<string, Summary>;
  leftOut: LeftOut[];
  outcomes: Outcome[];
}

function summarise(outcomes: readonly Outcome[]): Summary {
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
        return [name, { mean: mean(values), interval: bootstrapInterval(values) }];
      }),
    ),
  };
}

/** @throws LocusError `bad-input` when there is no outcome. */
export function reportOn(
  dataset: string,
  outcomes: Outcome[],
  leftOut: LeftOut[],
): EvaluationReport {
  if (outcomes.length === 0) {
    const reasons = Object.entries(Object.groupBy(leftOut, ({ reason }) => reason));
    const counts = reasons.map(([reason, left]) => `${reason}: ${left.length}`).join(', ');
    throw badInput(
      `no instance of ${dataset} could be measured (${counts})`,
      'give a folder that has a clone of each repository, named owner__name',
    );
  }
  const byRepository = Map.groupBy(outcomes, ({ repo }) => repo);
  return {
    dataset,
    system: [...new Set(outcomes.map(({ system }) => system))].join('; '),
    all: summarise(outcomes),
    byRepository: Object.fromEntries(
      [...byRepository].sort().map(([repo, some]) => [repo, summarise(some)]),
    ),
    leftOut,
    outcomes,
  };
}

interface Difference {
  metric: string;
  before: number;
  after: number;
  /** Of `after - before`; see `bootstrapInterval` and `randomisationTest`. */
  interval: [low: number, high: number];
  p: number;
}

export interface Comparison {
  /** Instances that both reports have; only these are compared. */
  issues: number;
  /** Instances that only one of them has. */
  unpaired: number;
  differences: Difference[];
}

/**
 * Compares two reports issue by issue.
 * @throws LocusError `bad-input` when they share no issue, or disagree on what one edits.
 */
export function compare(before: ComparedReport, after: ComparedReport): Comparison {
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
        ? `the reports disagree on what ${odd.after.instance} edits`
        : 'the reports have no instance in common',
      'make both with locus eval --json, from the same data set and the same version of Locus',
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
        interval: bootstrapInterval(differences),
        p: randomisationTest(differences),
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

/** What a comparison needs of a report that was printed as JSON. Throws LocusError `bad-input` when `text` is none. */
export function parseReport(text: string, name: string): ComparedReport {
  try {
    return comparedReport.parse(JSON.parse(text));
  } catch (cause) {
    throw badInput(
      `${name} is no report of locus eval`,
      'make it with: locus eval --json ... > report.json',
      { cause },
    );
  }
}
