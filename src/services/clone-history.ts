/** Fetches the past commits of a clone that Locus made. Each step goes further back, and stays if a later one fails. */

import { GitFailure, gitLine } from '../base/git/git.ts';
import { readShallowBoundary } from '../base/git/shallow.ts';
import { formatFailure, isCancelled, LocusError } from '../shared/errors.ts';
import type { CloneProgress } from '../shared/fleet.ts';
import { MAX_CLONED_COMMITS } from '../shared/limits.ts';
import { fetchWithinLimits, measureFolder } from './clone-fetch.ts';
import type { CloneAddress } from './clone-url.ts';
import { runRemoteGit } from './fleet/remote-git.ts';

/** Maximum number of generations of commits. More than `MAX_CLONED_COMMITS`, since merges do not count. */
const MAX_DEPTH = 20_000;
/** Number of generations in the first step. Where branches are merged, 100 can be thousands of commits. */
const FIRST_DEPTH = 20;
/** Maximum factor between the depths of two steps. */
const GROWTH = 5;
/** Maximum time for all steps. */
const HISTORY_MS = 20 * 60_000;
const CONFIG_MS = 60_000;
/** Leaves out versions of large files, whose diffs Locus does not read. A server that knows no filters sends them too. */
const FILTER = 'blob:limit=1m';
/** Setting of the clone with the number of generations that were fetched. */
const DEPTH_SETTING = 'locus.depth';

export interface CloneHistory {
  /** Number of generations of commits; 1 without history. */
  depth: number;
  /** Number of past commits with one parent. */
  commits: number;
  /** True if nothing is left to fetch. */
  isComplete: boolean;
}

export interface HistoryFetchOptions {
  maxBytes: number;
  silenceMs?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: CloneProgress) => void;
}

/** Returns the number of generations of commits that were fetched into a clone; 1 without history. */
export async function readDepth(folder: string): Promise<number> {
  const args = ['--local', '--type=int', '--get', DEPTH_SETTING] as const;
  const depth = Number(await gitLine(folder, ['config', ...args]).catch(ignoreRefusal));
  return depth >= 1 && depth <= MAX_DEPTH ? depth : 1;
}

/** Counts the past commits of a clone. */
export async function readCloneHistory(folder: string, commit: string): Promise<CloneHistory> {
  const depth = await readDepth(folder);
  const args = ['--count', '--min-parents=1', '--max-parents=1', commit, '--'] as const;
  const commits = Number(await gitLine(folder, ['rev-list', ...args]));
  const isWhole = readShallowBoundary(folder) === '';
  const isComplete = isWhole || commits >= MAX_CLONED_COMMITS || depth >= MAX_DEPTH;
  return { depth, commits, isComplete };
}

/**
 * Fetches past commits, the newest first, until they suffice or a limit is reached. Continues where an earlier call ended.
 * @returns null, or why fewer commits were fetched
 * @throws LocusError `cancelled`
 */
export async function fetchHistory(
  folder: string,
  address: CloneAddress,
  commit: string,
  { maxBytes, signal, ...options }: HistoryFetchOptions,
): Promise<string | null> {
  const end = performance.now() + HISTORY_MS;
  let before: HistorySample | null = null;
  try {
    for (;;) {
      const history = await readCloneHistory(folder, commit);
      if (history.isComplete) return null;
      const sample = { ...history, bytes: measureFolder(folder) };
      const depth = planNextDepth(sample, before, maxBytes);
      if (depth === null) return 'More past commits would make the clone too large.';
      const timeoutMs = Math.max(1, Math.round(end - performance.now()));
      const fetch = { ref: commit, depth, filter: FILTER, maxBytes, timeoutMs, signal };
      await fetchWithinLimits(folder, address, { ...fetch, ...options });
      const setting = ['config', DEPTH_SETTING, String(depth)];
      await runRemoteGit(folder, setting, { timeoutMs: CONFIG_MS, signal });
      before = sample;
    }
  } catch (error) {
    if (!(error instanceof LocusError) || isCancelled(error)) throw error;
    return formatFailure(error);
  }
}

export interface HistorySample {
  depth: number;
  commits: number;
  /** Size of the clone in bytes. */
  bytes: number;
}

/** Minimum factor between the depths of two steps, and the one for the last commits that are wanted. */
const MIN_GROWTH = 1.01;
const LAST_GROWTH = 1.1;

/**
 * Chooses the depth of the next step, so that it fetches few commits too many and fits into the clone's limit.
 * @param before sample before the last step, which tells the size of a commit; null before the first step
 * @returns null if no step fits
 */
export function planNextDepth(
  { depth, commits, bytes }: HistorySample,
  before: HistorySample | null,
  maxBytes: number,
): number | null {
  if (bytes >= maxBytes) return null;
  if (depth < FIRST_DEPTH) return FIRST_DEPTH;
  const all = Math.max(1, commits);
  const perCommit = before ? (bytes - before.bytes) / Math.max(1, commits - before.commits) : 0;
  const fitting = perCommit > 0 ? 1 + (maxBytes - bytes) / perCommit / all : GROWTH;
  const factor = Math.min(GROWTH, fitting, Math.max(LAST_GROWTH, MAX_CLONED_COMMITS / all));
  const next = Math.min(MAX_DEPTH, Math.floor(depth * factor));
  return factor < MIN_GROWTH || next === depth ? null : next;
}

/** Returns an empty text for a setting that is missing. */
function ignoreRefusal(error: unknown): string {
  if (error instanceof GitFailure && error.gitRefused) return '';
  throw error;
}
