/** Lists the branches, tags and commits of a repository, for people to choose from. */
import { GitFailure, git } from '../../base/git/git.ts';
import type { Revision, Revisions } from '../../shared/history.ts';
import { confine } from './confine.ts';
import { findCommit } from './open.ts';

/** Maximum length of each list. */
const MAX_LISTED = 300;
const SHORT_ID = 10;

/** Formats for git's `for-each-ref` and, in another syntax, for `rev-list`. */
const REFERENCE =
  '%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)%00%(contents:subject)';
const COMMIT = '%H%x00%ct%x00%s';

export interface RevisionOptions {
  /** Name of a commit, in any form that git understands, that is looked up as well. */
  name?: string;
  /** Folder outside of which nothing is read; null allows everything. */
  within?: string | null;
  signal?: AbortSignal;
}

/**
 * Lists the revisions of the repository around a folder that can be opened.
 * @returns null if there is no repository, or no git
 * @throws LocusError `bad-repository` if git fails or the repository is outside `within`; `cancelled`
 */
export async function listRevisions(
  root: string,
  { name = '', within = null, signal }: RevisionOptions = {},
): Promise<Revisions | null> {
  if (!(await hasGit(root, within, signal))) return null;
  const [branches, tags, commits, commit] = await Promise.all([
    listReferences(root, ['refs/heads', 'refs/remotes'], signal),
    listReferences(root, ['refs/tags'], signal),
    listCommits(root, 'HEAD', MAX_LISTED, signal),
    findCommit(root, name, signal),
  ]);
  const [named = null] = commit ? await listCommits(root, commit, 1, signal) : [];
  return { branches, tags, commits, named };
}

/** Returns the current branch of a working tree; null for a detached HEAD, and without a commit or a repository. */
export async function getCurrentBranch(
  root: string,
  { within = null, signal }: Omit<RevisionOptions, 'name'> = {},
): Promise<string | null> {
  if (!(await hasGit(root, within, signal))) return null;
  const output = git(root, ['rev-parse', '--symbolic-full-name', 'HEAD'], { signal });
  const full = (await unlessRefused(output))?.toString('utf8').trim() ?? '';
  return full.startsWith('refs/heads/') ? full.slice('refs/heads/'.length) : null;
}

async function hasGit(
  root: string,
  within: string | null,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    if (!(await confine(root, within))) return false;
    await git(root, ['rev-parse', '--git-dir'], { signal });
    return true;
  } catch (error) {
    const isMissing =
      error instanceof GitFailure &&
      (error.exitCode === null || /not a git repository/.test(error.message));
    if (isMissing) return false;
    throw error;
  }
}

async function listReferences(
  root: string,
  folders: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Revision[]> {
  const args = [
    '--sort=-creatordate',
    `--count=${MAX_LISTED}`,
    `--format=${REFERENCE}`,
    ...folders,
  ];
  const output = await git(root, ['for-each-ref', ...args], { signal });
  return splitOutput(output).flatMap((line) => parseReference(line) ?? []);
}

const KINDS = { 'refs/heads/': 'branch', 'refs/remotes/': 'remote', 'refs/tags/': 'tag' } as const;

/** Parses a reference. Returns null if it is not a commit, like a tagged file, and for a remote's HEAD, which is a branch. */
function parseReference(line: string): Revision | null {
  const [full = '', type, id = '', peeledType, peeled = '', seconds, subject = ''] =
    line.split('\0');
  const [prefix, kind] = Object.entries(KINDS).find(([start]) => full.startsWith(start)) ?? [];
  const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : null;
  if (!prefix || !kind || !commit || (kind === 'remote' && full.endsWith('/HEAD'))) return null;
  return { kind, name: full.slice(prefix.length), commit, subject, at: formatDate(seconds) };
}

async function listCommits(
  root: string,
  from: string,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Revision[]> {
  const args = [`--max-count=${count}`, '--encoding=UTF-8', `--format=${COMMIT}`];
  const call = git(root, ['rev-list', ...args, '--end-of-options', from, '--'], { signal });
  // A repository without a commit has no HEAD, so git refuses.
  const output = await unlessRefused(call);
  return splitOutput(output ?? Buffer.alloc(0)).flatMap((line) => {
    const [commit = '', seconds, subject] = line.split('\0');
    // A line with only the id precedes each commit.
    if (subject === undefined) return [];
    return {
      kind: 'commit',
      name: commit.slice(0, SHORT_ID),
      commit,
      subject,
      at: formatDate(seconds),
    };
  });
}

async function unlessRefused(output: Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitFailure && error.gitRefused) return null;
    throw error;
  }
}

const splitOutput = (output: Buffer): string[] =>
  output.toString('utf8').split('\n').filter(Boolean);

function formatDate(seconds: string | undefined): string | null {
  const date = new Date(1000 * Number(seconds));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
