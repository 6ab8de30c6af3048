/** Decides which commits of a repository may become training instances, and gives a reason for the others. */

import { isSourcePath } from '../languages/index.ts';
import { inferRole } from '../source/role.ts';
import { isLintTitle } from './lint-title.ts';
import type { ListedCommit } from './types.ts';

/** A source file that a commit modifies; `before` is the blob id of its previous content. */
interface ModifiedFile {
  path: string;
  before: string;
}

/** A commit that may be a fix, judging by its message and list of files; its patch is not examined yet. */
export interface FixCandidate {
  commit: string;
  parent: string;
  /** Committer's time, seconds since 1970. */
  time: number;
  /** Message without trailers, or the text of an issue that the commit closed. */
  message: string;
  /** True if `message` is the text of an issue. */
  isIssue: boolean;
  /** Sorted by path. */
  files: ModifiedFile[];
  /** True if the commit changes test files too. */
  tests: boolean;
}

/** Reason why a commit is not a training instance; also names counters in the report. */
export type Rejection =
  | 'merge'
  | 'bot'
  | 'housekeeping'
  | 'revert'
  | 'short message'
  | 'no source edited'
  | 'too many files'
  | 'sources moved or deleted'
  | 'no test touched'
  | 'formatting only'
  | 'no chunk edited'
  | 'too many chunks'
  | 'unreadable'
  | 'duplicate'
  | 'inconsistent';

export interface HistoryFilter {
  /** Minimum length of a message in characters. */
  minMessage: number;
  /** Maximum number of edited source files. */
  maxFiles: number;
  /** True to accept only commits that change tests too. */
  requireTests: boolean;
}

const TRAILER =
  /^(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|change-id|git-svn-id|pull-request|closes-bug-id):.*$/gim;

/** Removes the lines that tools and conventions add to a message, such as `Signed-off-by`. */
function removeTrailers(message: string): string {
  return message
    .replace(TRAILER, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const BOT =
  /\[bot\]|\b(dependabot|renovate|greenkeeper|pyup[-.]?(io|bot)|pre-commit-ci|weblate|transifex|github-actions|allcontributors|bors|mergify|codecov|semantic-release)\b/i;

/** First lines of releases and mechanical rewrites, whose messages do not describe their edits. */
const HOUSEKEEPING = [
  /^(\[?release\]?|bump(ed|ing|s)?|prepar(e|ing)( for)?( the)?( next)? release|back to dev)\b/i,
  /^(set |update |new |increment |incremented |updated )?(the )?version( number| string| bump| to\b|:|\s+v?\d)/i,
  /^v?\d+\.\d\S*(?: released?\.?)?$/i,
  /^(run|ran|apply|applied|use) (black|isort|ruff|yapf|autopep8|pyupgrade|autoflake|2to3|pre-commit)\b/i,
  /^(\[pre-commit\.ci\]|merge (branch|pull request|remote)|update copyright|copyright year)/i,
];

/** Judges a commit by the history alone. Returns a candidate, or the reason for a rejection. */
export function judgeCommit(listed: ListedCommit, filter: HistoryFilter): FixCandidate | Rejection {
  const { parents, author } = listed;
  const message = removeTrailers(listed.message);
  if (parents.length > 1) return 'merge';
  if (BOT.test(author)) return 'bot';
  const [title = ''] = message.split('\n', 1);
  if (isLintTitle(title) || HOUSEKEEPING.some((pattern) => pattern.test(title)))
    return 'housekeeping';
  // A revert edits the same code as the commit that it undoes, and quotes its message.
  if (/^revert\b/i.test(title)) return 'revert';
  if (message.length < filter.minMessage) return 'short message';
  return judgeChanges(listed, { message, isIssue: false }, filter);
}

/** Judges a commit that is known to have closed an issue; ignores its message, author and parents. */
export function judgeFix(
  listed: ListedCommit,
  issue: string,
  filter: HistoryFilter,
): FixCandidate | Rejection {
  return judgeChanges(listed, { message: issue, isIssue: true }, filter);
}

function judgeChanges(
  { commit, parents, time, changes }: ListedCommit,
  text: Pick<FixCandidate, 'message' | 'isIssue'>,
  filter: HistoryFilter,
): FixCandidate | Rejection {
  const code = changes.filter(({ path }) => isSourcePath(path));
  const sources = code.filter(({ path }) => inferRole(path) === 'source');
  const tests = code.some(({ path }) => inferRole(path) === 'test');
  const files = sources.flatMap(({ status, path, before }) =>
    status === 'M' ? [{ path, before }] : [],
  );
  const [parent] = parents;
  if (files.length === 0 || parent === undefined) return 'no source edited';
  if (sources.some(({ status }) => status === 'D')) return 'sources moved or deleted';
  if (files.length > filter.maxFiles) return 'too many files';
  if (filter.requireTests && !tests) return 'no test touched';
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { commit, parent, time, ...text, files, tests };
}
