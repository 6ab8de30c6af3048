/**
 * Who changed a line last, by `git blame` of a commit. The file on disk is never given to git, which would run it through
 * the filters of the repository's configuration: where it differs from the committed one, its lines are matched here.
 */

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeSource, gitLineOf } from '../../base/decode-source.ts';
import { isInside } from '../../base/folders.ts';
import { GitFailure, git } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Blame, BlamedCommit } from '../../shared/history.ts';
import { quoted } from '../../shared/quoted.ts';
import { LARGEST_FILE } from '../source/limits.ts';
import type { SourceTree } from '../source/types.ts';
import { linesBefore } from './lines-before.ts';

/** Seconds that a blame may take in all; of 30,000 commits and a file that all of them touch, it takes two. */
const MOST_SECONDS = 20;
/** Bytes that git may print of one line's blame: a few headers, and the line. */
const LONGEST_BLAME = 4 * LARGEST_FILE;
/** Bytes that git may allocate at once: versions of the file before may be larger than it is. */
const MOST_MEMORY = 64 * LARGEST_FILE;
const LONGEST_MESSAGE = 10_000;

export interface BlamedLine {
  path: string;
  line: number;
  text: string;
  hash: string;
}

/** @throws LocusError `bad-repository` when git fails or takes too long, and `cancelled` */
export async function blameLine(
  tree: SourceTree,
  shown: BlamedLine,
  signal?: AbortSignal,
): Promise<Blame> {
  const late = AbortSignal.timeout(MOST_SECONDS * 1000);
  const either = signal ? AbortSignal.any([signal, late]) : late;
  try {
    return await blame(tree, shown, either);
  } catch (error) {
    if (!late.aborted || signal?.aborted) throw error;
    throw new LocusError(
      'bad-repository',
      `git blame of ${quoted(shown.path)} took longer than ${MOST_SECONDS} seconds`,
      'See in a terminal how long git blame takes there.',
    );
  }
}

async function blame(tree: SourceTree, shown: BlamedLine, signal: AbortSignal): Promise<Blame> {
  const head = await tree.head(signal);
  if (head === null) return { commit: null, why: 'no-git' };
  const blob = await blobAt(tree.root, head, shown.path, signal);
  if (blob === null) return { commit: null, why: 'not-committed' };
  const options = { maxBytes: LARGEST_FILE, signal };
  const bytes = await git(tree.root, ['cat-file', 'blob', blob], options);
  let line: number | null = shown.line;
  if (blob !== shown.hash) {
    const committed = decodeSource(bytes);
    const before = 'text' in committed ? linesBefore(committed.text, shown.text) : null;
    if (before === null) return { commit: null, why: 'rewritten' };
    line = before(shown.line);
  }
  if (line === null) return { commit: null, why: 'not-committed' };
  const gitLine = gitLineOf(bytes, line);
  return { commit: await commitOf(tree.root, head, shown.path, gitLine, signal) };
}

async function blobAt(
  root: string,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  const options = { settings: ['--literal-pathspecs'], signal };
  const listed = await git(root, ['ls-tree', '-z', commit, '--', path], options);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listed.toString('latin1'))?.[1] ?? null;
}

async function commitOf(
  root: string,
  head: string,
  path: string,
  line: number,
  signal: AbortSignal,
): Promise<BlamedCommit> {
  const options = { maxBytes: LONGEST_BLAME, maxAllocation: MOST_MEMORY, signal };
  await refuseForeignList(root, signal);
  const lines = ['-L', `${line},${line}`, head, '--', path];
  const told = await git(root, ['blame', '--porcelain', '--encoding=UTF-8', ...lines], options);
  const headers = told.toString('utf8').split('\n');
  const commit = /^[0-9a-f]{40,64}(?= )/.exec(headers[0] ?? '')?.[0];
  const header = (name: string) =>
    headers.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  if (!commit) {
    const message = `git blame of ${quoted(path)} said nothing of a commit`;
    throw new LocusError('bad-repository', message, 'See what git blame says there.');
  }
  return {
    commit,
    author: header('author'),
    time: Number(header('author-time')) || 0,
    message: await messageOf(root, commit, header('summary'), signal),
    cut: headers.includes('boundary') && (await isShallow(root, signal)),
  };
}

/**
 * Refuses a list of ignored commits, named by the repository's own configuration, that is no file of the repository: git
 * tells what stands in a file that is no such list, and waits for a pipe.
 */
async function refuseForeignList(root: string, signal: AbortSignal): Promise<void> {
  const wanted = ['-z', '--show-scope', '--type=path', '--get-all', 'blame.ignoreRevsFile'];
  const told = await orNothing(git(root, ['config', ...wanted], { signal }));
  const said = told.split('\0');
  const own = said.filter((_, i) => i % 2 === 1 && /^(local|worktree)$/.test(said[i - 1] ?? ''));
  if (own.length === 0) return;
  const top = await orNothing(git(root, ['rev-parse', '--show-toplevel'], { signal }));
  const folder = realpathSync(top.replace(/\n$/, '') || root);
  for (const path of own) {
    // An empty one takes back those before it.
    if (path === '' || isFileIn(folder, resolve(folder, path))) continue;
    throw new LocusError(
      'bad-repository',
      `blame.ignoreRevsFile in the configuration of ${root} is ${quoted(path)}, which is no file of the repository`,
      'Take the setting back: git config --unset-all blame.ignoreRevsFile',
    );
  }
}

function isFileIn(folder: string, path: string): boolean {
  try {
    const stat = statSync(path);
    const isList = stat.isFile() && stat.size <= LARGEST_FILE;
    return isList && isInside(realpathSync(path), folder);
  } catch {
    // The file is missing or unreadable.
    return false;
  }
}

/** What git said; nothing where it said no, as of a setting that there is not. */
async function orNothing(told: Promise<Buffer>): Promise<string> {
  try {
    return (await told).toString('utf8');
  } catch (error) {
    if (error instanceof GitFailure && error.gitRefused) return '';
    throw error;
  }
}

/** What a commit says; its first line alone where all of it cannot be read. */
async function messageOf(
  root: string,
  commit: string,
  summary: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const whole = await git(root, ['cat-file', 'commit', commit], { signal });
    const start = whole.indexOf('\n\n');
    const encoding = /\nencoding (\S+)/.exec(whole.toString('latin1', 0, start))?.[1] ?? 'utf-8';
    const message = new TextDecoder(encoding).decode(whole.subarray(start + 2));
    return message.slice(0, LONGEST_MESSAGE).trim() || summary;
  } catch (error) {
    // An encoding that nobody knows, or a message of a megabyte.
    if (error instanceof RangeError || error instanceof GitFailure) return summary;
    throw error;
  }
}

async function isShallow(root: string, signal: AbortSignal): Promise<boolean> {
  const told = await git(root, ['rev-parse', '--is-shallow-repository'], { signal });
  return told.toString('latin1').trim() === 'true';
}
