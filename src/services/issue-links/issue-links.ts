/**
 * Issues by link: what a pasted link would take to fetch, and fetching it. Nothing leaves the machine but by
 * `fetchIssue`, which whoever calls it has the user's agreement to: see `barred` and `isAgreed`.
 */
import type { Environment } from '../../base/environment.ts';
import { badInput, isCancelled, LocusError } from '../../shared/errors.ts';
import {
  describeLink,
  type FetchedIssue,
  hostOf,
  type IssueLink,
  isExposed,
  type LinkOffer,
  type Remote,
  readLink,
  readRemote,
  resolveReference,
  sourceOf,
} from '../../shared/issue-link.ts';
import { present } from '../../shared/present.ts';
import { type GitPlace, remoteUrl } from '../remote/origin.ts';
import { type Answer, type ClientOptions, ForgeClient } from './client.ts';
import { answerFailure } from './failures.ts';
import { FORGES, type Forge, type RemoteComment, type RemoteIssue } from './forges.ts';
import { type Token, tokenFor } from './tokens.ts';

/** Remotes whose project has the issues: of a fork, the one that it was made of. */
const REMOTES = ['upstream', 'origin'] as const;
/** Comments that a text takes at most, and their characters, all together. */
const MOST_COMMENTS = 200;
const MOST_CHARACTERS = 200_000;

/** A repository, as far as `#123` stands for an issue in it. */
export interface Place {
  /** Null where there are several, whose issue 123 could be any. */
  root: string | null;
  /** A folder above which nothing is read. */
  ceiling?: string | undefined;
}

/**
 * The issue that a text stands for which is a link and nothing else; null for any other text. Reads the remotes of the
 * repository, and nothing more.
 *
 * @throws LocusError `bad-input` for a link that is not fetched.
 */
export async function resolveLink(
  text: string,
  { root, ceiling }: Place,
): Promise<IssueLink | null> {
  const pasted = readLink(text);
  if (!pasted) return null;
  if (pasted.is === 'link') return pasted.link;
  if (pasted.is === 'refused') throw notFetched(`this is a link ${pasted.why}`);
  const { reference } = pasted;
  const remote = root === null ? null : await findRemote({ root, ceiling });
  const link = resolveReference(reference, remote);
  if (link) return link;
  throw reference.project === null
    ? notFetched(
        `this is the number of an issue, but no remote named origin or upstream says of which project`,
      )
    : notFetched(`this is a link of a form that its host does not have`);
}

async function findRemote(place: GitPlace): Promise<Remote | null> {
  for (const name of REMOTES) {
    const remote = readRemote((await remoteUrl(place, name)) ?? '');
    if (remote) return remote;
  }
  return null;
}

const notFetched = (message: string) =>
  badInput(message, 'give the whole address of the issue, or paste its text');

/** Whether the user agreed, for once and all, that issues are fetched from the host of a link. */
export const isAgreed = (link: IssueLink, hosts: readonly string[]): boolean =>
  hosts.includes(hostOf(link));

/** Why fetching a link for once is not offered: it would be read on the way. Null where it is. */
export function barred(link: IssueLink): LocusError | null {
  if (!isExposed(link)) return null;
  const host = hostOf(link);
  return badInput(
    `this is a link to ${host}, which would be asked unencrypted`,
    `use its https:// address, or, where you trust the network on the way, allow ${host} in the settings or in LOCUS_FETCH_HOSTS; or paste the text`,
  );
}

export async function offerOf(
  link: IssueLink,
  hosts: readonly string[],
  env: Environment,
): Promise<LinkOffer> {
  const [first] = await candidates(link, env);
  const agreed = isAgreed(link, hosts);
  const bar = agreed ? null : barred(link);
  return {
    what: describeLink(link),
    host: hostOf(link),
    asks: apiHost(first.forge, link),
    token: first.token?.from ?? null,
    agreed,
    barred: bar && { message: bar.message, remedy: bar.remedy },
  };
}

const apiHost = ({ api }: Forge, { origin }: IssueLink): string => new URL(api(origin)).host;

interface Candidate {
  forge: Forge;
  token: Token | null;
}

/** What may run on the host of a link, each with its token: what there is a token for first, then the likeliest. */
async function candidates(link: IssueLink, env: Environment): Promise<[Candidate, ...Candidate[]]> {
  const all = await Promise.all(
    link.forges.map(async (name) => ({
      forge: FORGES[name],
      token: await tokenFor(name, link, env),
    })),
  );
  const [first, ...more] = all.toSorted((a, b) => Number(!a.token) - Number(!b.token));
  return [present(first, 'a forge of the link'), ...more];
}

export interface FetchOptions extends ClientOptions {
  env: Environment;
  /** Whether its comments are asked for, too. */
  comments?: boolean | undefined;
}

/**
 * Fetches an issue: title, body and, if asked for, the first comments. Asks the host of the link alone.
 *
 * @throws LocusError `not-fetched` with what went wrong, `bad-input` for a token that cannot be sent, `cancelled`.
 */
export async function fetchIssue(link: IssueLink, options: FetchOptions): Promise<FetchedIssue> {
  const client = new ForgeClient(options);
  const { issue, forge, token } = await askForIssue(client, link, options.env);
  const found = options.comments
    ? await askForComments(client, link, { forge, token })
    : { comments: [], notes: [] };
  return {
    text: issueText(issue, found.comments),
    source: sourceOf({ ...link, forges: [forge.name] }),
    host: hostOf(link),
    asks: apiHost(forge, link),
    token: token?.from ?? null,
    comments: found.comments.length,
    notes: found.notes,
  };
}

async function askForIssue(
  client: ForgeClient,
  link: IssueLink,
  env: Environment,
): Promise<Candidate & { issue: RemoteIssue }> {
  const tried = await candidates(link, env);
  let failed: Error | null = null;
  for (const { forge, token } of tried) {
    const address = forge.api(link.origin) + forge.issuePath(link);
    const answer = await client.get(address, forge.headers(token?.value ?? null));
    const issue = answer.status === 200 ? forge.issue.safeParse(answer.json).data : null;
    if (issue) return { issue, forge, token };
    const failure = answerFailure(answer, link, forge, token);
    if (!isElsewhere(answer)) throw failure;
    // What came of the likeliest says most.
    failed ??= failure;
  }
  throw failed;
}

/** Whether another forge than the one asked for may run there: its API is not at that address. */
const isElsewhere = ({ status, json }: Answer): boolean =>
  status === 404 || status === 405 || (status === 200 && json === null);

/** The first comments. What keeps some of them away is told: the issue itself is there. */
async function askForComments(
  client: ForgeClient,
  link: IssueLink,
  { forge, token }: Candidate,
): Promise<{ comments: RemoteComment[]; notes: string[] }> {
  const comments: RemoteComment[] = [];
  const address = forge.api(link.origin) + forge.issuePath(link);
  const headers = forge.headers(token?.value ?? null);
  let more = true;
  let missing: string | null = null;
  try {
    for (let page = 1; more && comments.length < MOST_COMMENTS; page++) {
      const answer = await client.get(address + forge.commentsPath(page), headers);
      const read = answer.status === 200 ? forge.comments.safeParse(answer.json).data : null;
      if (!read) throw answerFailure(answer, link, forge, token);
      comments.push(...read.filter((comment) => comment !== null));
      more = forge.perPage !== null && read.length >= forge.perPage;
    }
  } catch (error) {
    if (!(error instanceof LocusError) || isCancelled(error)) throw error;
    missing = `Not all comments came: ${error.message}.`;
  }
  const kept = withinBounds(comments);
  if (more || kept.length < comments.length)
    missing ??= `The first ${kept.length} comments; there are more.`;
  return { comments: kept, notes: missing === null ? [] : [missing] };
}

/** An issue as text, with its comments. Bodies stay as they are, but for ends of lines. */
function issueText({ title, body }: RemoteIssue, comments: readonly RemoteComment[]): string {
  const parts = [oneLine(title), unix(body).trim(), ...comments.map(commentText)];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function withinBounds(comments: readonly RemoteComment[]): RemoteComment[] {
  let characters = 0;
  return comments.slice(0, MOST_COMMENTS).filter(({ body }) => {
    characters += body.length;
    return characters <= MOST_CHARACTERS;
  });
}

function commentText({ author, at, body }: RemoteComment): string {
  return `## Comment by ${oneLine(author)}, ${oneLine(at).slice(0, 10)}\n\n${unix(body).trim()}`;
}

const unix = (text: string) => text.replace(/\r\n?/g, '\n');
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
