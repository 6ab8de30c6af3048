/**
 * Resolves and fetches issues by URL. Only `fetchIssue` contacts another machine, and its callers must have the user's consent:
 * see `findFetchObstacle` and `isFetchAllowed`.
 */
import type { Environment } from '../../base/environment.ts';
import type { JsonAnswer, RequestLimits } from '../../base/json-client.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { badInput, isCancelled, LocusError } from '../../shared/errors.ts';
import {
  describeIssueUrl,
  type FetchedIssue,
  type FetchOffer,
  formatHost,
  type IssueUrl,
  isExposed,
  parsePastedUrl,
  parseRemoteProject,
  type RemoteProject,
  resolveReference,
  toIssueSource,
} from '../../shared/issue-url.ts';
import { type GitFolder, readRemoteUrl } from '../remote/origin.ts';
import { CodeHostClient } from './client.ts';
import { CODE_HOSTS, type CodeHost, type RemoteComment, type RemoteIssue } from './code-hosts.ts';
import { createAnswerError } from './failures.ts';
import { findToken, type HostToken } from './tokens.ts';

/** Remotes whose project has the issues. In a fork, that is the project it was forked from. */
const REMOTES = ['upstream', 'origin'] as const;
/** Maximum number of comments in a text, and of their characters together. */
const MAX_COMMENTS = 200;
const MAX_CHARACTERS = 200_000;

/** Repository in which `#123` refers to an issue. */
export interface IssueScope {
  /** Null for a workspace, where issue 123 could be in any repository. */
  root: string | null;
  /** Folder above which nothing is read. */
  ceiling?: string | undefined;
}

/**
 * Resolves a text that consists of an issue URL or reference alone; null for any other text. Reads only the remotes of the
 * repository.
 *
 * @throws LocusError `bad-input` for a URL that Locus does not fetch
 */
export async function resolveIssueUrl(
  text: string,
  { root, ceiling }: IssueScope,
): Promise<IssueUrl | null> {
  const pasted = parsePastedUrl(text);
  if (!pasted) return null;
  if (pasted.is === 'link') return pasted.link;
  if (pasted.is === 'refused') throw createError(`This is a link ${pasted.why}.`);
  const { reference } = pasted;
  const remote = root === null ? null : await findRemote({ root, ceiling });
  const link = resolveReference(reference, remote);
  if (link) return link;
  throw reference.project === null
    ? createError(
        'This is an issue number, but no remote named origin or upstream says of which project.',
      )
    : createError('This reference does not have the form that its host uses.');
}

async function findRemote(place: GitFolder): Promise<RemoteProject | null> {
  for (const name of REMOTES) {
    const remote = parseRemoteProject((await readRemoteUrl(place, name)) ?? '');
    if (remote) return remote;
  }
  return null;
}

const createError = (message: string) =>
  badInput(message, 'Give the complete URL of the issue, or paste its text.');

/** Returns true if the user has allowed issues to be fetched from this host. */
export const isFetchAllowed = (link: IssueUrl, hosts: readonly string[]): boolean =>
  hosts.includes(formatHost(link));

/** Returns why an issue is not even offered for fetching: others could read the traffic. Null if it may be offered. */
export function findFetchObstacle(link: IssueUrl): LocusError | null {
  if (!isExposed(link)) return null;
  const host = formatHost(link);
  return badInput(
    `Issues on ${host} are not fetched: the connection is not encrypted.`,
    `Use an https:// URL, or paste the text. If you trust the network, allow ${host} in the settings or in LOCUS_FETCH_HOSTS.`,
  );
}

/** Returns what the user has to agree to before an issue is fetched. */
export async function makeFetchOffer(
  link: IssueUrl,
  hosts: readonly string[],
  env: Environment,
): Promise<FetchOffer> {
  const [first] = await listCandidates(link, env);
  const agreed = isFetchAllowed(link, hosts);
  const bar = agreed ? null : findFetchObstacle(link);
  return {
    what: describeIssueUrl(link),
    host: formatHost(link),
    apiHost: getApiHost(first.forge, link),
    token: first.token?.from ?? null,
    agreed,
    refusal: bar && { message: bar.message, remedy: bar.remedy },
  };
}

const getApiHost = ({ api }: CodeHost, { origin }: IssueUrl): string => new URL(api(origin)).host;

interface Candidate {
  forge: CodeHost;
  token: HostToken | null;
}

/** Lists the kinds of code hosts that may run at a URL, with their tokens: those with a token first, then the most likely. */
async function listCandidates(
  link: IssueUrl,
  env: Environment,
): Promise<[Candidate, ...Candidate[]]> {
  const all = await Promise.all(
    link.codeHosts.map(async (name) => ({
      forge: CODE_HOSTS[name],
      token: await findToken(name, link, env),
    })),
  );
  const [first, ...more] = all.toSorted((a, b) => Number(!a.token) - Number(!b.token));
  return [assertPresent(first, 'a code host of the URL'), ...more];
}

export interface FetchIssueOptions extends RequestLimits {
  env: Environment;
  /** True to fetch comments, too. */
  comments?: boolean | undefined;
}

/**
 * Fetches an issue: title, body and, if requested, the first comments. Contacts only the URL's host.
 *
 * @throws LocusError `not-fetched` if it fails, `bad-input` for a token that cannot be sent, `cancelled`
 */
export async function fetchIssue(
  link: IssueUrl,
  options: FetchIssueOptions,
): Promise<FetchedIssue> {
  const client = new CodeHostClient(options);
  const { issue, forge, token } = await fetchIssueText(client, link, options.env);
  const found = options.comments
    ? await fetchComments(client, link, { forge, token })
    : { comments: [], notes: [] };
  return {
    text: formatIssue(issue, found.comments),
    source: toIssueSource({ ...link, codeHosts: [forge.name] }),
    host: formatHost(link),
    apiHost: getApiHost(forge, link),
    token: token?.from ?? null,
    comments: found.comments.length,
    notes: found.notes,
  };
}

async function fetchIssueText(
  client: CodeHostClient,
  link: IssueUrl,
  env: Environment,
): Promise<Candidate & { issue: RemoteIssue }> {
  const tried = await listCandidates(link, env);
  let failed: Error | null = null;
  for (const { forge, token } of tried) {
    const address = forge.api(link.origin) + forge.issuePath(link);
    const answer = await client.get(address, forge.headers(token?.value ?? null));
    const issue = answer.status === 200 ? forge.issue.safeParse(answer.json).data : null;
    if (issue) return { issue, forge, token };
    const failure = createAnswerError(answer, link, forge, token);
    if (!mayBeOtherHost(answer)) throw failure;
    // The most likely kind of host gives the most useful error.
    failed ??= failure;
  }
  throw failed;
}

/** Returns true if another kind of code host may run there, since the API is not at this address. */
const mayBeOtherHost = ({ status, json }: JsonAnswer): boolean =>
  status === 404 || status === 405 || (status === 200 && json === null);

/** Fetches the first comments. A failure becomes a note, because the issue itself is available. */
async function fetchComments(
  client: CodeHostClient,
  link: IssueUrl,
  { forge, token }: Candidate,
): Promise<{ comments: RemoteComment[]; notes: string[] }> {
  const comments: RemoteComment[] = [];
  const address = forge.api(link.origin) + forge.issuePath(link);
  const headers = forge.headers(token?.value ?? null);
  let more = true;
  let missing: string | null = null;
  try {
    for (let page = 1; more && comments.length < MAX_COMMENTS; page++) {
      const answer = await client.get(address + forge.commentsPath(page), headers);
      const read = answer.status === 200 ? forge.comments.safeParse(answer.json).data : null;
      if (!read) throw createAnswerError(answer, link, forge, token);
      comments.push(...read.filter((comment) => comment !== null));
      more = forge.perPage !== null && read.length >= forge.perPage;
    }
  } catch (error) {
    if (!(error instanceof LocusError) || isCancelled(error)) throw error;
    missing = `Some comments are missing: ${error.message}`;
  }
  const kept = limitComments(comments);
  if (more || kept.length < comments.length)
    missing ??= `Only the first ${kept.length} comments were fetched.`;
  return { comments: kept, notes: missing === null ? [] : [missing] };
}

/** Formats an issue and its comments as text. Bodies only change in their line ends. */
function formatIssue({ title, body }: RemoteIssue, comments: readonly RemoteComment[]): string {
  const parts = [toOneLine(title), normalizeLineEnds(body).trim(), ...comments.map(formatComment)];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function limitComments(comments: readonly RemoteComment[]): RemoteComment[] {
  let characters = 0;
  return comments.slice(0, MAX_COMMENTS).filter(({ body }) => {
    characters += body.length;
    return characters <= MAX_CHARACTERS;
  });
}

function formatComment({ author, at, body }: RemoteComment): string {
  return `## Comment by ${toOneLine(author)}, ${toOneLine(at).slice(0, 10)}\n\n${normalizeLineEnds(body).trim()}`;
}

const normalizeLineEnds = (text: string) => text.replace(/\r\n?/g, '\n');
const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
