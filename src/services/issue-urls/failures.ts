/** Errors for issues that could not be fetched. They never quote the server, which may repeat what was sent. */

import { MAX_WAIT_MS, parseResetTime, parseRetryAfter } from '../../base/http.ts';
import { LocusError } from '../../shared/errors.ts';
import { describeIssueUrl, formatHost, type IssueUrl } from '../../shared/issue-url.ts';
import type { CodeHost } from './code-hosts.ts';
import type { HostToken } from './tokens.ts';

const PASTE = 'paste the text of the issue instead';

/** @param remedy a sentence without its full stop */
export function createFetchError(message: string, remedy?: string): LocusError {
  const sentence = remedy ? `${remedy}, or ${PASTE}.` : 'Paste the text of the issue instead.';
  return new LocusError('not-fetched', message, sentence);
}

export function createAnswerError(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  link: IssueUrl,
  forge: CodeHost,
  token: HostToken | null,
): LocusError {
  const host = formatHost(link);
  const what = describeIssueUrl(link);
  if (status === 401 && !token)
    return createFetchError(`${host} requires a token for ${what}.`, getSignInRemedy(forge));
  if (status === 401)
    return createFetchError(`${host} rejected the token from ${token?.from}.`, 'Set a new token');
  if (status === 403 || status === 429) return refusal({ status, headers }, link, forge, token);
  if (status === 404) {
    const why = token
      ? `or the token from ${token.from} has no access to it`
      : 'or it is private and no token was sent';
    return createFetchError(
      `${host} has no ${what}, ${why}.`,
      token ? 'Check the link and the token' : `Check the link. ${getSignInRemedy(forge)}`,
    );
  }
  if (status === 410) {
    return createFetchError(
      `${host} no longer has ${what}: it was deleted, or issues are turned off.`,
    );
  }
  if (status >= 500)
    return createFetchError(`${host} is not available now (status ${status}).`, 'Try again later');
  if (status === 200) {
    return createFetchError(`${host} did not answer like ${forge.title}.`, 'Check the link');
  }
  return createFetchError(`${host} did not return ${what} (status ${status}).`, 'Check the link');
}

function refusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  link: IssueUrl,
  forge: CodeHost,
  token: HostToken | null,
): LocusError {
  const host = formatHost(link);
  const again = findLimitEnd(headers, forge);
  if (again || status === 429) {
    const limit = token ? `with the token from ${token.from}` : 'without a token';
    const from = again ? ` The limit ends ${localTime(again)}.` : '';
    return createFetchError(
      `${host} has received too many requests ${limit}.${from}`,
      token ? 'Try again later' : `Try again later. ${getSignInRemedy(forge)}`,
    );
  }
  return token
    ? createFetchError(
        `The token from ${token.from} has no access to ${describeIssueUrl(link)} on ${host}.`,
        'Use another token (an organization may require it to be authorized for single sign-on)',
      )
    : createFetchError(
        `${host} requires a token for ${describeIssueUrl(link)}.`,
        getSignInRemedy(forge),
      );
}

/** Returns when a rate limit ends; null if no limit was reached, or the time is implausibly late. */
function findLimitEnd(headers: Headers, { resetHeader }: CodeHost): Date | null {
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const wait =
    parseRetryAfter(headers.get('retry-after')) ||
    (left === '0' ? parseResetTime(headers.get(resetHeader)) : 0);
  return wait > 0 && wait < MAX_WAIT_MS ? new Date(Date.now() + wait) : null;
}

const localTime = (time: Date): string =>
  `${time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}, local time`;

const SIGN_IN = {
  github: 'Sign in with gh auth login, or set GITHUB_TOKEN (and GH_HOST for your own host)',
  gitlab: 'Sign in with glab auth login, or set GITLAB_TOKEN (and GITLAB_HOST for your own host)',
  gitea: 'Set GITEA_TOKEN and GITEA_SERVER_URL, or FORGEJO_TOKEN and FORGEJO_SERVER_URL',
} as const;
const getSignInRemedy = ({ name }: CodeHost) => SIGN_IN[name];
