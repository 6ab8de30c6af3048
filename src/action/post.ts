/** Writes the comment of an issue: creates it, or updates the one that an earlier run of the same account created. */
import { MAX_WAIT_MS, parseResetTime, parseRetryAfter } from '../base/http.ts';
import type { JsonAnswer } from '../base/json-client.ts';
import { doublingDelays, type RetryDelays, retry } from '../base/retry.ts';
import { CodeHostClient } from '../services/issue-urls/client.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { MAX_POSTED } from '../shared/post.ts';
import { MARKER } from './comment.ts';
import { isPositive } from './issue.ts';
import { SkippedIssue } from './runner.ts';

export interface CommentTarget {
  /** Address of the API, such as `https://api.github.com`. */
  api: string;
  token: string;
  /** `owner/repo` */
  project: string;
  number: number;
  /** Login of the account that the token belongs to. Comments of others are left as they are. */
  author: string;
}

export interface PostedComment {
  outcome: 'created' | 'updated' | 'unchanged';
  url: string;
}

const ATTEMPTS = 4;
/** Milliseconds for all requests of an attempt. */
const ATTEMPT_MS = 60_000;
/** Longest wait for a rate limit in milliseconds. A later end fails the step. */
const MAX_LIMIT_WAIT_MS = 5 * 60_000;
const PER_PAGE = 50;
const MAX_PAGES = 20;
/** A page of the longest comments, with every character as an escape. */
const MAX_PAGE_BYTES = PER_PAGE * MAX_POSTED * 6;

/** Failure that may pass, with the wait that the host asks for. */
class PassingFailure extends LocusError {
  readonly waitMs: number;

  constructor(message: string, remedy: string, waitMs = 0) {
    super('not-posted', message, remedy);
    this.waitMs = waitMs;
  }
}

/**
 * Creates or updates the comment. Each attempt looks for the comment first, so an attempt whose answer was lost leaves no second one.
 *
 * @param delays delays between attempts, 1 s and doubling by default
 * @throws SkippedIssue if the issue is gone or full; LocusError `not-posted` with what is missing
 */
export async function putComment(
  target: CommentTarget,
  text: string,
  delays: RetryDelays = doublingDelays(1000),
): Promise<PostedComment> {
  if (text.length > MAX_POSTED)
    throw badInput(`The comment has more than ${MAX_POSTED} characters.`, 'Rank the issue again.');
  return retry(() => attempt(target, text), {
    attempts: ATTEMPTS,
    delays: (failures, error) =>
      Math.max(delays(failures, error), error instanceof PassingFailure ? error.waitMs : 0),
    name: 'Commenting',
    shouldRetry: (error) => error instanceof PassingFailure && error.waitMs <= MAX_LIMIT_WAIT_MS,
  });
}

async function attempt(target: CommentTarget, body: string): Promise<PostedComment> {
  const client = new CodeHostClient({
    milliseconds: ATTEMPT_MS,
    maxRedirects: 0,
    maxBytes: MAX_PAGE_BYTES,
  });
  const { api, project, number } = target;
  const issues = `${api}/repos/${project}/issues`;
  const headers = createHeaders(target);
  const own = await findOwnComment(client, target, `${issues}/${number}/comments`);
  if (own?.body === body) return { outcome: 'unchanged', url: own.url };
  const answer = await ask(target, () =>
    own
      ? client.send('PATCH', `${issues}/comments/${own.id}`, headers, { body })
      : client.send('POST', `${issues}/${number}/comments`, headers, { body }),
  );
  const written = parseComment(answer.json);
  return { outcome: own ? 'updated' : 'created', url: written?.url ?? '' };
}

interface Comment {
  id: number;
  body: string;
  author: string;
  url: string;
}

/** Returns the first comment with the marker at its start by the same account; null without such a comment. Comments come oldest first. */
async function findOwnComment(
  client: CodeHostClient,
  target: CommentTarget,
  address: string,
): Promise<Comment | null> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const url = `${address}?per_page=${PER_PAGE}&page=${page}`;
    const { json } = await ask(target, () => client.get(url, createHeaders(target)));
    if (!Array.isArray(json)) throw unexpectedAnswer(target);
    const comments = json.map(parseComment).filter((one) => one !== null);
    const own = comments.find((one) => one.author === target.author && one.body.startsWith(MARKER));
    if (own) return own;
    if (json.length < PER_PAGE) return null;
  }
  throw new SkippedIssue(`Issue ${target.number} has more than ${MAX_PAGES * PER_PAGE} comments.`);
}

function parseComment(json: unknown): Comment | null {
  const { id, body, user, html_url: url } = (json ?? {}) as Record<string, unknown>;
  const { login } = (user ?? {}) as Record<string, unknown>;
  if (!isPositive(id) || typeof body !== 'string' || typeof login !== 'string') return null;
  return { id, body, author: login, url: typeof url === 'string' ? url : '' };
}

const createHeaders = ({ token }: CommentTarget) => ({
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  authorization: `Bearer ${token}`,
});

/** Sends a request. Returns the answer of a success. */
async function ask(target: CommentTarget, send: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
  const answer = await send().catch((error: unknown) => {
    const { code, message } = error as LocusError;
    // The remedy is for people who fetch an issue.
    throw code === 'not-fetched' ? new PassingFailure(message, RUN_AGAIN) : error;
  });
  if (answer.status === 200 || answer.status === 201) return answer;
  throw createFailure(answer, target);
}

const RUN_AGAIN = 'Run the job again later.';

function createFailure(answer: JsonAnswer, target: CommentTarget): Error {
  const { status, headers } = answer;
  const { host } = new URL(target.api);
  const failure = (message: string, remedy: string) =>
    new LocusError('not-posted', message, remedy);
  if (status === 401)
    return failure(`${host} rejected the token.`, 'Give the input token the value github.token.');
  const waitMs = findLimitWait(headers);
  if (status === 429 || (status === 403 && waitMs !== null))
    return new PassingFailure(`${host} has received too many requests.`, RUN_AGAIN, waitMs ?? 0);
  if (status === 403)
    return failure(
      `The token may not comment on issue ${target.number} of ${target.project}.`,
      'Give the job that posts permissions: issues: write.',
    );
  if (status === 404 || status === 410 || (status >= 300 && status < 400))
    return new SkippedIssue(
      `${host} has no issue ${target.number} in ${target.project}, or the token may not read it.`,
    );
  if (status >= 500)
    return new PassingFailure(`${host} is not available now (status ${status}).`, RUN_AGAIN);
  return unexpectedAnswer(target, status);
}

const unexpectedAnswer = ({ api }: CommentTarget, status = 200) =>
  new LocusError(
    'not-posted',
    `${new URL(api).host} did not answer like GitHub (status ${status}).`,
    RUN_AGAIN,
  );

/** Returns the milliseconds until a rate limit ends; null if no limit is named. */
function findLimitWait(headers: Headers): number | null {
  const after = headers.get('retry-after');
  if (after !== null) return parseRetryAfter(after);
  if (headers.get('x-ratelimit-remaining') !== '0') return null;
  const reset = headers.get('x-ratelimit-reset');
  return reset === null ? MAX_WAIT_MS : parseResetTime(reset);
}
