/** Why an issue could not be fetched, for people. None of it is in the server's words, which may quote what was sent. */

import { MAX_WAIT_MS, resetMs, retryAfterMs } from '../../base/http.ts';
import { LocusError } from '../../shared/errors.ts';
import { describeLink, hostOf, type IssueLink } from '../../shared/issue-link.ts';
import type { Forge } from './forges.ts';
import type { Token } from './tokens.ts';

const PASTE = 'paste the text of the issue instead';

export function fetchFailure(message: string, remedy?: string): LocusError {
  return new LocusError('not-fetched', message, remedy ? `${remedy}, or ${PASTE}` : PASTE);
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
    return fetchFailure(`${host} shows ${what} to nobody without a token`, signIn(forge));
  if (status === 401)
    return fetchFailure(`${host} refused the token of ${token?.from}`, 'give a new one');
  if (status === 403 || status === 429) return refusal({ status, headers }, link, forge, token);
  if (status === 404) {
    const why = token
      ? `or the token of ${token.from} may not read it`
      : 'or it is private, and no token was sent';
    return fetchFailure(
      `${host} has no ${what}, ${why}`,
      token ? 'check the link and the token' : `check the link; ${signIn(forge)}`,
    );
  }
  if (status === 410) {
    return fetchFailure(
      `${what} is no longer at ${host}: it was deleted, or issues are turned off there`,
    );
  }
  if (status >= 500)
    return fetchFailure(`${host} cannot answer now (${status})`, 'try again later');
  if (status === 200) {
    return fetchFailure(`${host} did not answer as ${forge.title} does`, 'check the link');
  }
  return fetchFailure(`${host} did not give ${what} (${status})`, 'check the link');
}

function refusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  link: IssueLink,
  forge: Forge,
  token: Token | null,
): LocusError {
  const host = hostOf(link);
  const again = againAt(headers, forge);
  if (again || status === 429) {
    const limit = token ? `the token of ${token.from}` : 'requests without a token';
    const from = again ? ` It answers again from ${localTime(again)}.` : '';
    return fetchFailure(
      `${host} has had too many requests: the limit is one of ${limit}.${from}`,
      token ? 'wait until then' : `wait until then; ${signIn(forge)}`,
    );
  }
  return token
    ? fetchFailure(
        `${host} does not let the token of ${token.from} read ${describeLink(link)}`,
        'give a token that may (an organisation may want it authorised for its single sign-on)',
      )
    : fetchFailure(`${host} shows ${describeLink(link)} to nobody without a token`, signIn(forge));
}

/** Returns when a limit ends; null if none was reached, or it ends too late to be true. */
function againAt(headers: Headers, { resetHeader }: Forge): Date | null {
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const wait =
    retryAfterMs(headers.get('retry-after')) ||
    (left === '0' ? resetMs(headers.get(resetHeader)) : 0);
  return wait > 0 && wait < MAX_WAIT_MS ? new Date(Date.now() + wait) : null;
}

const localTime = (time: Date): string =>
  `${time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}, local time`;

const SIGN_IN = {
  github: 'sign in with gh auth login, or set GITHUB_TOKEN (and GH_HOST, for a host of your own)',
  gitlab:
    'sign in with glab auth login, or set GITLAB_TOKEN (and GITLAB_HOST, for a host of your own)',
  gitea: 'set GITEA_TOKEN and GITEA_SERVER_URL, or FORGEJO_TOKEN and FORGEJO_SERVER_URL',
} as const;
const signIn = ({ name }: Forge) => SIGN_IN[name];

export function connectionFailure(error: unknown, { host }: URL): LocusError {
  if (error instanceof LocusError) return error;
  const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fetchFailure(
      `the name ${host} is not known, or the network is not there`,
      'check the link and the network',
    );
  }
  if (code === 'ECONNREFUSED') return fetchFailure(`nothing answers at ${host}`, 'check the link');
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) {
    return fetchFailure(
      `the certificate of ${host} is not trusted (${code})`,
      'for a host of your own, name its authority in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1',
    );
  }
  return fetchFailure(
    `the connection to ${host} failed${code ? ` (${code})` : ''}`,
    'check the network; behind a proxy, set NODE_USE_ENV_PROXY=1 and HTTPS_PROXY',
  );
}
