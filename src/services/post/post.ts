/** Posts a text as a comment, by GitHub's command-line tool. A list leaves the machine only here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { Environment } from '../../base/environment.ts';
import { badInput, cancelled, LocusError } from '../../shared/errors.ts';
import { MAX_POSTED, type PostResult, type PostTarget } from '../../shared/post.ts';
import { escapeHidden, escapeHiddenLines } from '../../shared/quote.ts';
import { findGh } from './target.ts';

export interface PostCommentOptions {
  env: Environment;
  signal?: AbortSignal | undefined;
}

/** Milliseconds to wait for `gh`, which may wait for its host. */
const GH_MS = 60_000;

/** Returns a text as it is posted, with control characters as escapes. Show this before posting. */
export const preparePostText = (text: string): string => escapeHiddenLines(text);

/**
 * Runs `gh issue comment` with the text on standard input, outside the repository and without a shell. The caller must have the user's
 * consent to exactly this text and target.
 *
 * @param text result of `preparePostText`
 * @throws LocusError `not-posted` with gh's message, or if gh is missing; `bad-input` for a text longer than GitHub accepts; `cancelled`
 */
export async function postComment(
  target: PostTarget,
  text: string,
  { env, signal }: PostCommentOptions,
): Promise<PostResult> {
  const { label, host, project, number } = target;
  if (text.length > MAX_POSTED)
    throw badInput(
      `The list has ${text.length} characters, but a comment on GitHub can have at most ${MAX_POSTED}.`,
      'Post fewer results, or omit their code.',
    );
  const gh = findGh(env);
  if (gh === null)
    throw new LocusError(
      'not-posted',
      'The GitHub command-line tool gh is not installed.',
      'Install it from https://cli.github.com, or copy the Markdown and paste it into the issue.',
    );
  // The host is always given. Otherwise gh would use GH_HOST, or the only host that it is signed in to.
  const repository = `${host}/${project}`;
  const args = ['issue', 'comment', String(number), '--repo', repository, '--body-file', '-'];
  const { code, stdout, stderr } = await runGh(gh, args, text, { env, signal, label });
  if (code !== 0) throw createPostError(target, stderr || stdout);
  return { label, url: findCommentUrl(stdout, host) ?? target.url };
}

async function runGh(
  gh: string,
  args: readonly string[],
  text: string,
  { env, signal, label }: PostCommentOptions & { label: string },
) {
  throwIfCancelled(signal, `Posting to ${label}`);
  const ended = AbortSignal.any([AbortSignal.timeout(GH_MS), ...(signal ? [signal] : [])]);
  const input = openAsFile(text);
  const child = spawn(gh, args, {
    cwd: homedir(),
    env: createGhEnvironment(env),
    stdio: [input, 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    signal: ended,
  });
  closeSync(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (more: string) => {
      output[name] = (output[name] + more).slice(0, MAX_SAID);
    });
  }
  try {
    const [code] = await once(child, 'close');
    return { code, ...output };
  } catch (error) {
    const remedy = `Check ${label} before you post again: the comment may be there.`;
    if (signal?.aborted) throw cancelled(`Posting to ${label}`, remedy);
    const failed = (message: string, advice: string) =>
      new LocusError('not-posted', message, advice, { cause: error });
    if (ended.aborted) throw failed(`gh did not answer within ${GH_MS / 1000} seconds.`, remedy);
    const { message } = error as Error;
    throw failed(`gh did not start: ${escapeHidden(message)}.`, 'Check that gh --version works.');
  }
}

/**
 * Returns a file descriptor from which the text is read. The file has no name any more, so gh reads all of it even if this process is
 * killed. With a pipe, gh would then post a part.
 */
function openAsFile(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'locus-'));
  try {
    const path = join(folder, 'comment.md');
    writeFileSync(path, text, { mode: 0o600 });
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Maximum number of characters kept of gh's output. */
const MAX_SAID = 20_000;

const CREDENTIALS = /TOKEN|SECRET|PASSWORD|PASSWD|_KEY$/i;
/** Credentials of gh itself, which sends each only to the host that it is for. */
const CREDENTIALS_OF_GH = /^(GH|GITHUB)_/;

/** Returns an environment without other programs' credentials, in which gh does not prompt, check for updates or log what it sends. */
function createGhEnvironment(env: Environment): NodeJS.ProcessEnv {
  const { GH_DEBUG: _debug, DEBUG: _verbose, ...others } = env;
  const kept = Object.entries(others).filter(
    ([name]) => CREDENTIALS_OF_GH.test(name) || !CREDENTIALS.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    NO_COLOR: '1',
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_TELEMETRY: 'false',
    DO_NOT_TRACK: '1',
  };
}

/** Returns the URL of the comment, which gh prints on the last line; null if it is missing. */
function findCommentUrl(stdout: string, host: string): string | null {
  const line = stdout.trim().split('\n').at(-1)?.trim() ?? '';
  return line.startsWith(`https://${host}/`) && /^[\x21-\x7e]{1,2000}$/.test(line) ? line : null;
}

/** Creates an error with gh's message, and a remedy for common causes. */
function createPostError({ label, host, url }: PostTarget, said: string): LocusError {
  const lines = said.split('\n').map((line) => escapeHidden(line.trim()));
  const words = lines.filter((line) => line !== '').join('; ');
  const short = words.length > 600 ? `${words.slice(0, 600)} …` : words;
  const reason = short || 'no reason given';
  const message = `gh did not post to ${label}: ${reason}${/[.…]$/.test(reason) ? '' : '.'}`;
  const isSignedOut = /auth login|HTTP 401|Bad credentials|authentication/i.test(said);
  const isMissing = /Could not resolve|not found|HTTP 404/i.test(said);
  const isForbidden = /HTTP 403|locked|forbidden|not accessible/i.test(said);
  const remedy = isSignedOut
    ? `Run gh auth login --hostname ${host}.`
    : isMissing
      ? `Check that ${url} exists, and with gh auth status that your account may read it.`
      : isForbidden
        ? 'Check that the issue is not locked, and that your account may comment on it.'
        : `Try gh issue view ${url}, or copy the Markdown and paste it into the issue.`;
  return new LocusError('not-posted', message, remedy);
}
