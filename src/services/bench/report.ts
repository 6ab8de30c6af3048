/** Summarizes the replayed fixes of a repository: all of them, by year and by area. */
import { estimateShare, type MetricEstimate } from '../evaluation/statistics.ts';
import { findFolderArea, findMostFrequent, findSourceRoot } from './areas.ts';
import type { BenchRun } from './bench.ts';
import type { ReplayedFix } from './replay.ts';

/** Ranks within which a function counts as found. */
export const CUTOFFS = [1, 5, 10] as const;

/** Shares of fixes, with 95% intervals. */
export interface HitRates {
  /** For each of `CUTOFFS`: at least one edited function is among the first. */
  any: MetricEstimate[];
  /** All edited functions are among the first ten. */
  all: MetricEstimate;
}

export interface BenchGroup {
  name: string;
  fixes: number;
  initial: HitRates;
  /** Null if no list was reranked. */
  reranked: HitRates | null;
}

export interface BenchReport extends Omit<BenchRun, 'fixes'> {
  /** Name of the repository's folder. */
  repository: string;
  system: string;
  /** True if the texts are issues, false if they are messages of commits. */
  areIssues: boolean;
  seed: number;
  all: BenchGroup;
  /** Oldest first. */
  years: BenchGroup[];
  /** Most fixes first. */
  areas: BenchGroup[];
  /** True if areas are packages where there is one, because most fixes are in packages; false if all are folders. */
  arePackages: boolean;
  fixes: (ReplayedFix & { area: string })[];
}

/** Builds a report. A fix belongs to the area of most of its functions. @param run with at least one fix */
export function buildBenchReport(
  run: BenchRun,
  about: Pick<BenchReport, 'repository' | 'areIssues' | 'seed'>,
): BenchReport {
  const inPackages = run.fixes.filter(({ packages }) => packages.length > 0);
  const arePackages = 2 * inPackages.length >= run.fixes.length;
  const root = findSourceRoot(run.fixes.flatMap(({ paths }) => paths));
  const fixes = run.fixes.map((fix) => {
    const folders = fix.paths.map((path) => findFolderArea(path, root));
    const areas = arePackages && fix.packages.length > 0 ? fix.packages : folders;
    return { ...fix, area: findMostFrequent(areas) };
  });
  const summarize = (name: string, some: readonly ReplayedFix[]): BenchGroup => ({
    name,
    fixes: some.length,
    initial: measure(some.map(({ initial }) => initial)),
    reranked: fixes.some(({ reranked }) => reranked)
      ? measure(some.map(({ reranked, initial }) => reranked ?? initial))
      : null,
  });
  const group = (nameOf: (fix: (typeof fixes)[number]) => string) =>
    Array.from(Map.groupBy(fixes, nameOf), ([name, some]) => summarize(name, some));
  return {
    ...about,
    ...run,
    system: [...new Set(fixes.map(({ system }) => system))].join('; '),
    all: summarize('all', fixes),
    years: group(({ time }) => String(new Date(1000 * time).getUTCFullYear())),
    areas: group(({ area }) => area).sort((a, b) => b.fixes - a.fixes),
    arePackages,
    fixes,
  };
}

function measure(ranks: readonly (number | null)[][]): HitRates {
  const count = (isHit: (some: (number | null)[]) => boolean) =>
    estimateShare(ranks.filter(isHit).length, ranks.length);
  const isWithin = (k: number) => (rank: number | null) => rank !== null && rank <= k;
  return {
    any: CUTOFFS.map((k) => count((some) => some.some(isWithin(k)))),
    all: count((some) => some.every(isWithin(10))),
  };
}
