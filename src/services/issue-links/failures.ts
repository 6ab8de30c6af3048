/** Errors for issues that could not be fetched. They never quote the server, which may repeat what was sent. */

import { MAX_WAIT_MS, resetMs, retryAfterMs } from '../../base/http.ts';
import { LocusError } from '../../shared/errors.ts';
import { describeLink, hostOf, type IssueLink } from '../../shared/issue-link.ts';
import type { Forge } from './forges.ts';
import type { Token } from './tokens.ts';

const PASTE = 'paste the text of the issue instead';

/** @param remedy a sentence without its full stop */
export function fetchFailure(message: string, remedy?: string): LocusError {
  const sentence = remedy ? `${remedy}, or ${PASTE}.` : 'Paste the text of the issue instead.';
  return new LocusError('not-fetched', message, sentence);
}

export function answerFailure(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  link: IssueLink,
  forge: Forge,
  token: Token | null,
): LocusError {
  const host = hostOf(link);
  const what = describeLink(link);
  if (status === 401 && !token)
    return fetchFailure(`${host} requires a token for ${what}.`, getSignInRemedy(forge));
  if (status === 401)
    return fetchFailure(`${host} rejected the token from ${token?.from}.`, 'Set a new token');
  if (status === 403 || status === 429) return refusal({ status, headers }, link, forge, token);
  if (status === 404) {
    const why = token
      ? `or the token from ${token.from} has no access to it`
      : 'or it is private and no token was sent';
    return fetchFailure(
      `${host} has no ${what}, ${why}.`,
      token ? 'Check the link and the token' : `Check the link. ${getSignInRemedy(forge)}`,
    );
  }
  if (status === 410) {
    return fetchFailure(`${host} no longer has ${what}: it was deleted, or issues are turned off.`);
  }
  if (status >= 500)
    return fetchFailure(`${host} is not available now (status ${status}).`, 'Try again later');
  if (status === 200) {
    return fetchFailure(`${host} did not answer like ${forge.title}.`, 'Check the link');
  }
  return fetchFailure(`${host} did not return ${what} (status ${status}).`, 'Check the link');
}

function refusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  link: IssueLink,
  forge: Forge,
  token: Token | null,
): LocusError {
  const host = hostOf(link);
  const again = findLimitEnd(headers, forge);
  if (again || status === 429) {
    const limit = token ? `with the token from ${token.from}` : 'without a token';
    const from = again ? ` The limit ends ${localTime(again)}.` : '';
    return fetchFailure(
      `${host} has received too many requests ${limit}.${from}`,
      token ? 'Try again later' : `Try again later. ${getSignInRemedy(forge)}`,
    );
  }
  return token
    ? fetchFailure(
        `The token from ${token.from} has no access to ${describeLink(link)} on ${host}.`,
        'Use another token (an organization may require it to be authorized for single sign-on)',
      )
    : fetchFailure(`${host} requires a token for ${describeLink(link)}.`, getSignInRemedy(forge));
}

/** Returns when a rate limit ends; null if no limit was reached, or the time is implausibly late. */
function findLimitEnd(headers: Headers, { resetHeader }: Forge): Date | null {
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const wait =
    retryAfterMs(headers.get('retry-after')) ||
    (left === '0' ? resetMs(headers.get(resetHeader)) : 0);
  return wait > 0 && wait < MAX_WAIT_MS ? new Date(Date.now() + wait) : null;
}

const localTime = (time: Date): string =>
  `${time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}, local time`;

const SIGN_IN = {
  github: 'Sign in with gh auth login, or set GITHUB_TOKEN (and GH_HOST for your own host)',
  gitlab: 'Sign in with glab auth login, or set GITLAB_TOKEN (and GITLAB_HOST for your own host)',
  gitea: 'Set GITEA_TOKEN and GITEA_SERVER_URL, or FORGEJO_TOKEN and FORGEJO_SERVER_URL',
} as const;
const getSignInRemedy = ({ name }: Forge) => SIGN_IN[name];

export function connectionFailure(error: unknown, { host }: URL): LocusError {
  if (error instanceof LocusError) return error;
  const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fetchFailure(
      `The host name ${host} is unknown, or the network is down.`,
      'Check the link and the network',
    );
  }
  if (code === 'ECONNREFUSED') return fetchFailure(`Nothing answers at ${host}.`, 'Check the link');
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) {
    return fetchFailure(
      `The certificate of ${host} is not trusted (${code}).`,
      'For your own host, name its certificate authority in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1',
    );
  }
  return fetchFailure(
    `The connection to ${host} failed${code ? ` (${code})` : ''}.`,
    'Check the network; behind a proxy, set NODE_USE_ENV_PROXY=1 and HTTPS_PROXY',
  );
}
