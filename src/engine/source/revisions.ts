/** The branches, tags and commits of a repository, for a person to choose from. */
import { GitFailure, git } from '../../base/git/git.ts';
import type { Revision, Revisions } from '../../shared/history.ts';
import { confine } from './confine.ts';
import { findCommit } from './open.ts';

/** Of each list. */
const MOST = 300;
const SHORT_ID = 10;

/** For git's reference formats and, with other letters, for its commit formats. */
const REFERENCE =
  '%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)%00%(contents:subject)';
const COMMIT = '%H%x00%ct%x00%s';

export interface RevisionOptions {
  /** Any name of a commit that git understands, which is looked up as well. */
  name?: string;
  /** The folder that nothing outside of is read of; null is everywhere. */
  within?: string | null;
  signal?: AbortSignal;
}

/**
 * What can be opened of the repository around a folder besides its files.
 * @returns null where there is no repository, or no git.
 * @throws LocusError `bad-repository` when git fails, or the repository leads out of `within`; `cancelled`.
 */
export async function listRevisions(
  root: string,
  { name = '', within = null, signal }: RevisionOptions = {},
): Promise<Revisions | null> {
  if (!(await hasGit(root, within, signal))) return null;
  const [branches, tags, commits, commit] = await Promise.all([
    listReferences(root, ['refs/heads', 'refs/remotes'], signal),
    listReferences(root, ['refs/tags'], signal),
    listCommits(root, 'HEAD', MOST, signal),
    findCommit(root, name, signal),
  ]);
  const [named = null] = commit ? await listCommits(root, commit, 1, signal) : [];
  return { branches, tags, commits, named };
}

/** The branch that a working tree is on; null for a detached HEAD, without a commit, and where there is no repository. */
export async function currentBranch(
  root: string,
  { within = null, signal }: Omit<RevisionOptions, 'name'> = {},
): Promise<string | null> {
  if (!(await hasGit(root, within, signal))) return null;
  const asked = git(root, ['rev-parse', '--symbolic-full-name', 'HEAD'], { signal });
  const full = (await unlessRefused(asked))?.toString('utf8').trim() ?? '';
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
    const none =
      error instanceof GitFailure &&
      (error.exitCode === null || /not a git repository/.test(error.message));
    if (none) return false;
    throw error;
  }
}

async function listReferences(
  root: string,
  folders: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Revision[]> {
  const args = ['--sort=-creatordate', `--count=${MOST}`, `--format=${REFERENCE}`, ...folders];
  const output = await git(root, ['for-each-ref', ...args], { signal });
  return linesOf(output).flatMap((line) => reference(line) ?? []);
}

const KINDS = { 'refs/heads/': 'branch', 'refs/remotes/': 'remote', 'refs/tags/': 'tag' } as const;

/** Null for what is no commit, as a tagged file, and for a remote's HEAD, which is one of its branches. */
function reference(line: string): Revision | null {
  const [full = '', type, id = '', peeledType, peeled = '', seconds, subject = ''] =
    line.split('\0');
  const [prefix, kind] = Object.entries(KINDS).find(([start]) => full.startsWith(start)) ?? [];
  const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : null;
  if (!prefix || !kind || !commit || (kind === 'remote' && full.endsWith('/HEAD'))) return null;
  return { kind, name: full.slice(prefix.length), commit, subject, at: dateOf(seconds) };
}

async function listCommits(
  root: string,
  from: string,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Revision[]> {
  const args = [`--max-count=${count}`, '--encoding=UTF-8', `--format=${COMMIT}`];
  const call = git(root, ['rev-list', ...args, '--end-of-options', from, '--'], { signal });
  // Without a commit there is no HEAD.
  const output = await unlessRefused(call);
  return linesOf(output ?? Buffer.alloc(0)).flatMap((line) => {
    const [commit = '', seconds, subject] = line.split('\0');
    // Before each commit stands a line with its id alone.
    if (subject === undefined) return [];
    return {
      kind: 'commit',
      name: commit.slice(0, SHORT_ID),
      commit,
      subject,
      at: dateOf(seconds),
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

const linesOf = (output: Buffer): string[] => output.toString('utf8').split('\n').filter(Boolean);

function dateOf(seconds: string | undefined): string | null {
  const date = new Date(1000 * Number(seconds));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
