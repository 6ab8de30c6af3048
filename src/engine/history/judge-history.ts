/** Finds the commits of a repository that can stand for a fix, and counts the others by reason. */
import { throwIfCancelled } from '../../base/cancel.ts';
import {
  type FixCandidate,
  type HistoryFilter,
  judgeCommit,
  judgeFix,
  type Rejection,
} from './fix-candidates.ts';
import { describeCommits, describeListed } from './read-history.ts';

export interface FixedIssue {
  /** Full id of the commit that closed it. */
  commit: string;
  text: string;
}

export interface JudgeHistoryOptions {
  filter: HistoryFilter;
  /** Issues whose fixes are judged. If null, all commits that the revision can reach. */
  issues: readonly FixedIssue[] | null;
  /** Oldest time of the committer's clock, in seconds since 1970; all times if omitted. Ignored for issues. */
  since?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface JudgedHistory {
  /** Newest first; for issues in their order. */
  candidates: FixCandidate[];
  /** Number of all commits, or of all issues whose fix exists. */
  commits: number;
  /** Number of rejected commits, by reason. */
  rejected: Partial<Record<Rejection, number>>;
}

/** Judges the history of a revision. Rejects with `GitFailure` and LocusError `cancelled`. */
export async function judgeHistory(
  root: string,
  revision: string,
  options: JudgeHistoryOptions,
): Promise<JudgedHistory> {
  const candidates: FixCandidate[] = [];
  const rejected: JudgedHistory['rejected'] = {};
  let commits = 0;
  for await (const judged of judgeAll(root, revision, options)) {
    throwIfCancelled(options.signal, 'Reading history');
    commits++;
    if (typeof judged === 'string') rejected[judged] = (rejected[judged] ?? 0) + 1;
    else candidates.push(judged);
  }
  return { candidates, commits, rejected };
}

/** Yields the judgement of each commit in order, or of each issue that one of them closed. */
async function* judgeAll(
  root: string,
  revision: string,
  { filter, issues, since, signal }: JudgeHistoryOptions,
): AsyncGenerator<FixCandidate | Rejection> {
  if (!issues) {
    for await (const listed of describeCommits(root, revision, { since, signal }))
      yield judgeCommit(listed, filter);
    return;
  }
  const byFix = Map.groupBy(issues, ({ commit }) => commit);
  for await (const listed of describeListed(root, [...byFix.keys()], signal)) {
    for (const { text } of byFix.get(listed.commit) ?? []) yield judgeFix(listed, text, filter);
  }
}
