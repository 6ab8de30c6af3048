/** Posts a text as a comment by GitHub's own command line tool. The one place where a list leaves the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { Environment } from '../../base/environment.ts';
import { badInput, cancelled, LocusError } from '../../shared/errors.ts';
import { MOST_POSTED, type Posted, type PostTarget } from '../../shared/post.ts';
import { visible, visibleLines } from '../../shared/quoted.ts';
import { findGh } from './target.ts';

export interface PostOptions {
  env: Environment;
  signal?: AbortSignal | undefined;
}

/** Milliseconds for `gh`, which may have to wait for its host. */
const PATIENCE_MS = 60_000;

/** What is posted of a text, and so what is to be shown before: control characters as escapes. */
export const postedText = (text: string): string => visibleLines(text);

/**
 * Runs `gh issue comment` with the text on its standard input, not in the repository and through no shell.
 * Whoever calls it has the user's agreement to just this text and target.
 *
 * @param text as `postedText` makes it.
 * @throws LocusError `not-posted` with what gh says, or without gh; `bad-input` for more than GitHub takes; `cancelled`.
 */
export async function postComment(
  target: PostTarget,
  text: string,
  { env, signal }: PostOptions,
): Promise<Posted> {
  const { label, host, project, number } = target;
  if (text.length > MOST_POSTED)
    throw badInput(
      `the list has ${text.length} characters, and a comment on GitHub has ${MOST_POSTED} at most`,
      'export fewer results, or without their code',
    );
  const gh = findGh(env);
  if (gh === null)
    throw new LocusError(
      'not-posted',
      'gh, which posts to GitHub, is not installed',
      'install it from https://cli.github.com, or copy the Markdown and paste it into the issue',
    );
  // With the host, also for github.com: without it gh takes that of GH_HOST, or the only one that it is logged in to.
  const repository = `${host}/${project}`;
  const args = ['issue', 'comment', String(number), '--repo', repository, '--body-file', '-'];
  const { code, stdout, stderr } = await runGh(gh, args, text, { env, signal, label });
  if (code !== 0) throw notPosted(target, stderr || stdout);
  return { label, url: addressIn(stdout, host) ?? target.url };
}

async function runGh(
  gh: string,
  args: readonly string[],
  text: string,
  { env, signal, label }: PostOptions & { label: string },
) {
  throwIfCancelled(signal, `Posting to ${label}`);
  const ended = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]);
  const input = openAsFile(text);
  const child = spawn(gh, args, {
    cwd: homedir(),
    env: quiet(env),
    stdio: [input, 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    signal: ended,
  });
  closeSync(input);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (more: string) => {
      said[name] = (said[name] + more).slice(0, MOST_SAID);
    });
  }
  try {
    const [code] = await once(child, 'close');
    return { code, ...said };
  } catch (error) {
    const remedy = `Look at ${label} before you post again: the comment may be there.`;
    if (signal?.aborted) throw cancelled(`Posting to ${label}`, remedy);
    const failed = (message: string, advice: string) =>
      new LocusError('not-posted', message, advice, { cause: error });
    if (ended.aborted)
      throw failed(`gh did not answer within ${PATIENCE_MS / 1000} seconds.`, remedy);
    const { message } = error as Error;
    throw failed(`gh did not start: ${visible(message)}`, 'see whether gh --version works');
  }
}

/**
 * Returns a file descriptor from which this text is read. The file has no name any more, and its reader gets all of it even if this process
 * is killed. With a pipe, gh would then post the part that it has.
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

/** Characters of what gh prints that are kept. */
const MOST_SAID = 20_000;

const CREDENTIALS = /TOKEN|SECRET|PASSWORD|PASSWD|_KEY$/i;
/** gh's own; it shows each to the host that it is for. */
const CREDENTIALS_OF_GH = /^(GH|GITHUB)_/;

/** Returns an environment in which gh asks nothing, looks for no updates, prints nothing of what it sends, and has no credential of others. */
function quiet(env: Environment): NodeJS.ProcessEnv {
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

/** The address of the comment, which gh prints on a line of its own. */
function addressIn(stdout: string, host: string): string | null {
  const line = stdout.trim().split('\n').at(-1)?.trim() ?? '';
  return line.startsWith(`https://${host}/`) && /^[\x21-\x7e]{1,2000}$/.test(line) ? line : null;
}

/** What gh says of why, and what helps. */
function notPosted({ label, host, url }: PostTarget, said: string): LocusError {
  const lines = said.split('\n').map((line) => visible(line.trim()));
  const words = lines.filter((line) => line !== '').join('; ');
  const short = words.length > 600 ? `${words.slice(0, 600)} …` : words;
  const message = `gh did not post to ${label}: ${short || 'it gives no reason'}`;
  const login = /auth login|HTTP 401|Bad credentials|authentication/i.test(said);
  const missing = /Could not resolve|not found|HTTP 404/i.test(said);
  const barred = /HTTP 403|locked|forbidden|not accessible/i.test(said);
  const remedy = login
    ? `run gh auth login --hostname ${host}`
    : missing
      ? `see whether ${url} is there and gh auth status names an account that may read it`
      : barred
        ? 'see whether the issue is locked, and whether your account may comment on it'
        : `try gh issue view ${url}, or copy the Markdown and paste it into the issue`;
  return new LocusError('not-posted', message, remedy);
}
