/** Summarizes the ranks of all edited files: recall in the first files of the list, and recall by kind of file. */
import { getFileKind, type LeftOutKind } from './edited-files.ts';
import { FILE_READINGS, type FileOutcome, type RankedFile } from './file-ranks.ts';
import { perfectRecall, recall } from './metrics.ts';
import { estimateMean, type MetricEstimate, mean } from './statistics.ts';

/** Ranks of the edited files of an issue. */
interface FileRanks {
  files: readonly Pick<RankedFile, 'rank'>[];
}

interface FileMetric {
  name: string;
  of(outcome: FileRanks): number;
}

const CUTOFFS = [5, 10];

export const FILE_METRICS: readonly FileMetric[] = [
  ...CUTOFFS.map((k) => ({
    name: `edited-file recall@${k}`,
    of: ({ files }: FileRanks) => recall(getRanks(files), k),
  })),
  ...CUTOFFS.map((k) => ({
    name: `all edited files@${k}`,
    of: ({ files }: FileRanks) => perfectRecall(getRanks(files), k),
  })),
];

/** Edited files of one kind, over all issues. */
export interface FileKindSummary {
  /** A way of reading files, or an extension, or the name of a file without one. */
  kind: string;
  files: number;
  /** Number of files that Locus does not read. */
  unread: number;
  /** Shares of the files that are among the first five and ten of their lists. */
  found: { first5: number; first10: number };
}

export interface FileReport {
  /** Number of issues that edit a file that counts. */
  issues: number;
  /** Mean number of edited files that count. */
  edited: number;
  /** Numbers of files that do not count, over all issues: left out by their kind, or added by the fix. */
  leftOut: Record<LeftOutKind, number>;
  added: number;
  /** By name, in the order of `FILE_METRICS`. */
  metrics: Record<string, MetricEstimate>;
  byReading: FileKindSummary[];
  /** Most frequent first. */
  byKind: FileKindSummary[];
  outcomes: FileOutcome[];
}

export function buildFileReport(outcomes: FileOutcome[]): FileReport {
  const files = outcomes.flatMap((outcome) => outcome.files);
  const byReading = Map.groupBy(files, ({ reading }) => reading);
  const byKind = [...Map.groupBy(files, ({ path }) => getFileKind(path))];
  const sum = (count: (outcome: FileOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  return {
    issues: outcomes.length,
    edited: files.length / outcomes.length,
    leftOut: {
      test: sum(({ leftOut }) => leftOut.test),
      changelog: sum(({ leftOut }) => leftOut.changelog),
      tool: sum(({ leftOut }) => leftOut.tool),
    },
    added: sum(({ added }) => added),
    metrics: Object.fromEntries(
      FILE_METRICS.map(({ name, of }) => [name, estimateMean(outcomes.map(of))]),
    ),
    byReading: FILE_READINGS.map((reading) => summarizeKind(reading, byReading.get(reading) ?? [])),
    byKind: byKind
      .map(([kind, some]) => summarizeKind(kind, some))
      .sort((a, b) => b.files - a.files || (a.kind < b.kind ? -1 : 1)),
    outcomes,
  };
}

function summarizeKind(kind: string, files: readonly RankedFile[]): FileKindSummary {
  const ranks = getRanks(files);
  const found = (k: number) => mean(ranks.map((rank) => recall([rank], k)));
  return {
    kind,
    files: files.length,
    unread: files.filter(({ reading }) => reading === 'not read').length,
    found: { first5: found(5), first10: found(10) },
  };
}

const getRanks = (files: FileRanks['files']) => files.map(({ rank }) => rank);
