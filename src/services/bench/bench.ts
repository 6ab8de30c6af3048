/** Measures the ranking on a repository's own past: replays commits that fixed something, each held out in time. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { realFolder } from '../../base/folders.ts';
import { readShallowBoundary } from '../../base/git/shallow.ts';
import { ignoring } from '../../base/log.ts';
import {
  deleteIndex,
  type FixCandidate,
  type FixedIssue,
  judgeHistory,
  listRevisions,
  type Rejection,
} from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { Revision } from '../../shared/history.ts';
import { quoteText } from '../../shared/quote.ts';
import { COMMITS_KEPT } from '../evaluation/evaluate.ts';
import { getDataDirectory, getIndexFolder, makeIndexFolderName } from '../locations.ts';
import { divideIntoParts } from './choose.ts';
import { countReasons } from './reasons.ts';
import { MIN_TEXT, type ReplayedFix, type ReplayOptions, replayFix } from './replay.ts';

export interface BenchOptions extends ReplayOptions {
  revision: string;
  /** Number of fixes to replay. */
  count: number;
  /** Oldest time in seconds since 1970; null for `DEFAULT_YEARS` before the revision. */
  since: number | null;
  seed: number;
  /** Issues to search for, instead of messages of commits; null for messages. */
  issues: readonly FixedIssue[] | null;
  /** True to leave the indexes in place for the next run. */
  keep: boolean;
  finished: {
    find(candidate: FixCandidate): BenchOutcome | null;
    add(candidate: FixCandidate, outcome: BenchOutcome): void;
  } | null;
  /** Called when the fixes are chosen. */
  onChosen?(past: BenchPast & { fixes: number }): void;
  /** Called for each commit that is replayed or left out now. `done` and `total` count fixes. */
  onOutcome?(candidate: FixCandidate, outcome: BenchOutcome, done: number, total: number): void;
}

/** A fix, or the reason why its commit is left out. */
export type BenchOutcome = { fix: ReplayedFix } | { reason: Rejection };

/** The part of the history that fixes are chosen from. */
export interface BenchPast {
  /** Oldest time in seconds since 1970; null for issues, which may be of any time. */
  since: number | null;
  /** Number of commits, or of issues whose fix is in the repository. */
  commits: number;
  /** Number of commits that can be a fix, judging by message and files. */
  candidates: number;
  /** True if a part of the history is missing, because the clone is shallow. */
  isShallow: boolean;
}

export interface BenchRun extends BenchPast {
  /** Oldest first. */
  fixes: ReplayedFix[];
  /** Number of commits that are left out, by reason. Those that were not chosen are not counted. */
  leftOut: Partial<Record<Rejection, number>>;
}

export const DEFAULT_YEARS = 5;
const YEAR_SECONDS = 365.25 * 86_400;
/** Number of commits that are tried for one fix. Each may need an index. */
const MAX_TRIES = 5;
const MAX_FILES = 5;
/** Folder in the data directory with the indexes of past commits. */
const BENCH_FOLDER = 'bench';

/**
 * Replays fixes of a repository, oldest first.
 * @throws LocusError `not-found` if no commit can be replayed; `bad-repository`; `cancelled`; errors of the engine
 */
export async function runBench(folder: string, options: BenchOptions): Promise<BenchRun> {
  const root = realFolder(resolve(folder));
  const { signal } = options;
  const revision = await findRevision(root, options);
  const since = findStart(revision, options);
  const filter = { minMessage: MIN_TEXT, maxFiles: MAX_FILES, requireTests: false };
  const { issues } = options;
  const judged = await judgeHistory(root, revision.commit, {
    ...{ filter, issues, signal },
    since: since ?? undefined,
  });
  // Commits of the same second stay in order.
  const candidates = judged.candidates.toReversed().sort((a, b) => a.time - b.time);
  const past = {
    since,
    commits: judged.commits,
    candidates: candidates.length,
    isShallow: readShallowBoundary(root) !== '',
  };
  const parts = divideIntoParts(candidates, options.count, options.seed);
  options.onChosen?.({ ...past, fixes: parts.length });
  const run: BenchRun = { ...past, fixes: [], leftOut: { ...judged.rejected } };
  const home = getBenchFolder(root, options);
  try {
    await replayParts(root, parts, run, { ...options, ...placeIndexesIn(home, options) });
  } finally {
    if (!options.keep) await removeIndexes(root, home);
  }
  if (run.fixes.length === 0) throw createNoFixError(root, run, options.issues);
  return run;
}

/** Finds the revision to start from. @throws LocusError `bad-repository` without a repository or commit */
async function findRevision(root: string, { revision, signal }: BenchOptions): Promise<Revision> {
  const revisions = await listRevisions(root, { name: revision, signal });
  if (revisions?.named) return revisions.named;
  throw new LocusError(
    'bad-repository',
    revisions
      ? `${root} has no commit ${quoteText(revision)}.`
      : `${root} is not in a git repository.`,
    'Give a repository with commits, and --at one of them.',
  );
}

function findStart({ at }: Revision, { since, issues }: BenchOptions): number | null {
  if (issues || since !== null) return issues ? null : since;
  return at === null ? null : Math.round(Date.parse(at) / 1000 - DEFAULT_YEARS * YEAR_SECONDS);
}

/** Returns the options to open commits with indexes in a folder. */
function placeIndexesIn(
  home: string,
  { openOptions, keep }: BenchOptions,
): Pick<BenchOptions, 'openOptions'> {
  const kept = keep ? { commitsKept: COMMITS_KEPT } : {};
  return { openOptions: { ...openOptions, ...kept, indexesFolder: home } };
}

/** Returns the folder of the indexes of a repository's past. */
function getBenchFolder(root: string, { openOptions }: BenchOptions): string {
  const data = getDataDirectory(openOptions.dataDir);
  return join(data, BENCH_FOLDER, makeIndexFolderName(root));
}

async function removeIndexes(root: string, home: string): Promise<void> {
  // This fails while another run uses them, and that run removes them later.
  await deleteIndex(getIndexFolder(home, root))
    .then(() => rm(home, { recursive: true, force: true }))
    .catch(ignoring('remove-files'));
}

async function replayParts(
  root: string,
  parts: readonly FixCandidate[][],
  run: BenchRun,
  options: BenchOptions,
): Promise<void> {
  for (const part of parts) {
    for (const candidate of part.slice(0, MAX_TRIES)) {
      throwIfCancelled(options.signal, 'The measurement');
      const known = options.finished?.find(candidate);
      const outcome = known ?? (await replay(root, candidate, options));
      if ('fix' in outcome) run.fixes.push(outcome.fix);
      else run.leftOut[outcome.reason] = (run.leftOut[outcome.reason] ?? 0) + 1;
      if (!known) options.onOutcome?.(candidate, outcome, run.fixes.length, parts.length);
      if ('fix' in outcome) break;
    }
  }
  run.fixes.sort((a, b) => a.time - b.time);
}

async function replay(
  root: string,
  candidate: FixCandidate,
  options: BenchOptions,
): Promise<BenchOutcome> {
  const replayed = await replayFix(root, candidate, options);
  const outcome = typeof replayed === 'string' ? { reason: replayed } : { fix: replayed };
  // Missing files may be there next time.
  if (replayed !== 'unreadable') options.finished?.add(candidate, outcome);
  return outcome;
}

function createNoFixError(root: string, run: BenchRun, issues: BenchOptions['issues']): LocusError {
  const reasons = countReasons(run.leftOut).map(({ text, count }) => `${text}: ${count}`);
  const details = reasons.length > 0 ? ` Left out: ${reasons.join('; ')}.` : '';
  const what = issues
    ? `None of the commits that fixed ${formatCounted(issues.length, 'issue')} is in ${root} and can be replayed.`
    : `None of ${formatCounted(run.commits, 'commit')} of ${root} can be replayed.`;
  return new LocusError('not-found', what + details, suggestMore(run, issues !== null));
}

function suggestMore({ isShallow, leftOut }: BenchRun, areIssues: boolean): string {
  if (isShallow) return 'This clone is shallow. Run git fetch --unshallow to get its history.';
  if (leftOut.unreadable)
    return 'If the clone is partial, run git fetch --refetch --no-filter to get its files.';
  return areIssues
    ? 'Fetch the branches that contain the fixes.'
    : 'Give an earlier --since, or a repository with more history.';
}
