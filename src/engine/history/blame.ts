/**
 * Finds the commit that changed a line last, by `git blame` of a commit. Git never gets the file on disk, since it would run
 * it through filters of the repository's configuration. If that file differs from the committed one, lines are matched here.
 */

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeSource, toGitLine } from '../../base/decode-source.ts';
import { isInside } from '../../base/folders.ts';
import { GitFailure, git } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Blame, BlamedCommit } from '../../shared/history.ts';
import { quoteText } from '../../shared/quote.ts';
import { MAX_FILE_BYTES } from '../source/limits.ts';
import type { SourceTree } from '../source/types.ts';
import { createLineMapper } from './line-mapper.ts';

/** Time limit of a blame in seconds. With 30,000 commits that all touch the file, it takes two. */
const MAX_SECONDS = 20;
/** Maximum output of git for one line in bytes: a few headers, and the line. */
const MAX_BLAME_BYTES = 4 * MAX_FILE_BYTES;
/** Maximum allocation of git in bytes. Earlier versions of the file may be larger than the current one. */
const MAX_MEMORY = 16 * MAX_FILE_BYTES;
const MAX_MESSAGE = 10_000;

/** A line to blame, with the text of its file as it is shown and the git hash of that text. */
export interface BlamedLine {
  path: string;
  line: number;
  text: string;
  hash: string;
}

/**
 * Finds the commit that changed a line last.
 * @throws LocusError `bad-repository` if git fails or takes too long, and `cancelled`
 */
export async function blameLine(
  tree: SourceTree,
  shown: BlamedLine,
  signal?: AbortSignal,
): Promise<Blame> {
  const timeout = AbortSignal.timeout(MAX_SECONDS * 1000);
  const combined = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    return await findBlamedCommit(tree, shown, combined);
  } catch (error) {
    if (!timeout.aborted || signal?.aborted) throw error;
    throw new LocusError(
      'bad-repository',
      `Git blame of ${quoteText(shown.path)} took longer than ${MAX_SECONDS} seconds.`,
      'Run git blame in a terminal to see how long it takes.',
    );
  }
}

async function findBlamedCommit(
  tree: SourceTree,
  shown: BlamedLine,
  signal: AbortSignal,
): Promise<Blame> {
  const head = await tree.getHead(signal);
  if (head === null) return { commit: null, why: 'no-git' };
  const blob = await findBlob(tree.root, head, shown.path, signal);
  if (blob === null) return { commit: null, why: 'not-committed' };
  const options = { maxBytes: MAX_FILE_BYTES, signal };
  const bytes = await git(tree.root, ['cat-file', 'blob', blob], options);
  let line: number | null = shown.line;
  if (blob !== shown.hash) {
    const committed = decodeSource(bytes);
    const mapToCommitted =
      'text' in committed ? createLineMapper(committed.text, shown.text) : null;
    if (mapToCommitted === null) return { commit: null, why: 'rewritten' };
    line = mapToCommitted(shown.line);
  }
  if (line === null) return { commit: null, why: 'not-committed' };
  const gitLine = toGitLine(bytes, line);
  return { commit: await runBlame(tree.root, head, shown.path, gitLine, signal) };
}

async function findBlob(
  root: string,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  const options = { settings: ['--literal-pathspecs'], signal };
  const listed = await git(root, ['ls-tree', '-z', commit, '--', path], options);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listed.toString('latin1'))?.[1] ?? null;
}

async function runBlame(
  root: string,
  head: string,
  path: string,
  line: number,
  signal: AbortSignal,
): Promise<BlamedCommit> {
  const options = { maxBytes: MAX_BLAME_BYTES, maxAllocation: MAX_MEMORY, signal };
  await refuseForeignList(root, signal);
  const lines = ['-L', `${line},${line}`, head, '--', path];
  const output = await git(root, ['blame', '--porcelain', '--encoding=UTF-8', ...lines], options);
  const headers = output.toString('utf8').split('\n');
  const commit = /^[0-9a-f]{40,64}(?= )/.exec(headers[0] ?? '')?.[0];
  const header = (name: string) =>
    headers.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  if (!commit) {
    const message = `Git blame of ${quoteText(path)} returned no commit.`;
    throw new LocusError('bad-repository', message, 'Run git blame in a terminal to see why.');
  }
  return {
    commit,
    author: header('author'),
    time: Number(header('author-time')) || 0,
    message: await readMessage(root, commit, header('summary'), signal),
    cut: headers.includes('boundary') && (await isShallow(root, signal)),
  };
}

/**
 * Refuses a list of ignored commits that the repository's own configuration names but that is outside the repository.
 * Git would print the content of a file that is not such a list, and would wait forever for a pipe.
 */
async function refuseForeignList(root: string, signal: AbortSignal): Promise<void> {
  const args = ['-z', '--show-scope', '--type=path', '--get-all', 'blame.ignoreRevsFile'];
  const output = await readOrEmpty(git(root, ['config', ...args], { signal }));
  const fields = output.split('\0');
  const own = fields.filter(
    (_, i) => i % 2 === 1 && /^(local|worktree)$/.test(fields[i - 1] ?? ''),
  );
  if (own.length === 0) return;
  const top = await readOrEmpty(git(root, ['rev-parse', '--show-toplevel'], { signal }));
  const folder = realpathSync(top.replace(/\n$/, '') || root);
  for (const path of own) {
    // An empty value resets the values before it.
    if (path === '' || isFileIn(folder, resolve(folder, path))) continue;
    throw new LocusError(
      'bad-repository',
      `The git setting blame.ignoreRevsFile of ${root} is ${quoteText(path)}, which is not a file of the repository.`,
      'Remove the setting with: git config --unset-all blame.ignoreRevsFile.',
    );
  }
}

function isFileIn(folder: string, path: string): boolean {
  try {
    const stat = statSync(path);
    const isList = stat.isFile() && stat.size <= MAX_FILE_BYTES;
    return isList && isInside(realpathSync(path), folder);
  } catch {
    // The file is missing or unreadable.
    return false;
  }
}

/** Returns git's output; an empty text if git exits with an error, as for a setting that is not set. */
async function readOrEmpty(output: Promise<Buffer>): Promise<string> {
  try {
    return (await output).toString('utf8');
  } catch (error) {
    if (error instanceof GitFailure && error.gitRefused) return '';
    throw error;
  }
}

/** Returns the message of a commit; only its first line if the whole message cannot be read. */
async function readMessage(
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
    return message.slice(0, MAX_MESSAGE).trim() || summary;
  } catch (error) {
    // The encoding is unknown, or the message is too large.
    if (error instanceof RangeError || error instanceof GitFailure) return summary;
    throw error;
  }
}

async function isShallow(root: string, signal: AbortSignal): Promise<boolean> {
  const output = await git(root, ['rev-parse', '--is-shallow-repository'], { signal });
  return output.toString('latin1').trim() === 'true';
}
