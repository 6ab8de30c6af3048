/**
 * Recognizes and parses issue URLs that users paste, and short references such as `owner/repo#123`. Works on the text alone,
 * without network or file access.
 */
import type { IssueSource } from './issues.ts';
import { MAX_LINK } from './limits.ts';
import { isLoopback, parseRemote } from './remote-url.ts';

/** Kinds of code hosts. `github` includes GitHub Enterprise Server, `gitea` includes Forgejo. */
export const CODE_HOST_KINDS = ['github', 'gitlab', 'gitea'] as const;
export type CodeHostKind = (typeof CODE_HOST_KINDS)[number];

/** URL of an issue, or of a proposed change (a pull or merge request). */
export interface IssueUrl {
  /** Scheme, host and port of its page. */
  origin: string;
  /** `owner/repo`; on GitLab with any number of groups before it. */
  project: string;
  number: number;
  kind: 'issue' | 'change';
  /** Possible kinds of the code host, likeliest first; a single one if the URL or the host decides it. */
  codeHosts: readonly [CodeHostKind, ...CodeHostKind[]];
}

/** A short reference: `#123`, `owner/repo#123`, `!12`. A repository's remote supplies the host, and the project if it is null. */
export interface IssueReference {
  project: string | null;
  number: number;
  kind: IssueUrl['kind'];
}

/** A pasted text that is only a URL or reference. */
export type PastedUrl =
  | { is: 'link'; link: IssueUrl }
  | { is: 'reference'; reference: IssueReference }
  /** A URL that is not fetched, with the reason as words that follow “This is a link”. */
  | { is: 'refused'; why: string };

/** Offer to fetch an issue. Nothing has been sent yet. */
export interface FetchOffer {
  /** `issue #123 of owner/repo` */
  what: string;
  /** Host that the user consents to, see `formatHost`. */
  host: string;
  /** Host of the API: `api.github.com` for `github.com`. */
  apiHost: string;
  /** Source of the token that would be sent; null for none. */
  token: string | null;
  agreed: boolean;
  /** Reason why a one-time consent is not possible; null if it is. */
  refusal: { message: string; remedy: string } | null;
}

export interface FetchedIssue {
  /** Title, body and requested comments, as Markdown. */
  text: string;
  source: IssueSource;
  host: string;
  apiHost: string;
  token: string | null;
  comments: number;
  /** Notes for the user, such as omitted comments. */
  notes: string[];
}

const NUMBER = /^[1-9]\d{0,9}$/;
const SEGMENT = /^[\w.-]+$/;
const REFERENCE = /^([\w.-]+(?:\/[\w.-]+)+)?([#!])(\d+)$/;

/** Public code hosts. They use the default port and https only. */
const PUBLIC_HOSTS: Readonly<Record<string, CodeHostKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

/** Returns true if a text is only an issue URL or reference, so that there is nothing to search for. */
export const isIssueUrl = (text: string): boolean => parsePastedUrl(text) !== null;

/** Parses a text that is only a URL or reference; null for any other text. */
export function parsePastedUrl(text: string): PastedUrl | null {
  if (text.length > MAX_LINK) return null;
  const trimmed = text.trim().replace(/^<([^<>]*)>$/, '$1');
  if (trimmed === '' || /[\s\\]/.test(trimmed)) return null;
  return parseReference(trimmed) ?? parseIssueUrl(trimmed);
}

function parseReference(text: string): PastedUrl | null {
  const [, project, sign, digits = ''] = REFERENCE.exec(text) ?? [];
  if (!sign || !NUMBER.test(digits) || (project && !isProject(project.split('/')))) return null;
  const kind = sign === '!' ? 'change' : 'issue';
  return { is: 'reference', reference: { project: project ?? null, number: Number(digits), kind } };
}

function parseIssueUrl(text: string): PastedUrl | null {
  const isBare = Object.keys(PUBLIC_HOSTS).some((host) =>
    text.toLowerCase().startsWith(`${host}/`),
  );
  const address = isBare ? `https://${text}` : text;
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null;
  const page = url && parsePagePath(url.pathname);
  if (!url || !page) return null;
  const refused = (why: string): PastedUrl => ({ is: 'refused', why });
  if (url.username || url.password) return refused('with a user name or password in it');
  if (page.is === 'other') return refused(`to ${page.what}, which is not fetched`);
  const hostname = url.hostname.replace(/^www\.(?=github\.com$)/, '');
  const forge = findCodeHost(hostname);
  if (forge && url.port)
    return refused(`to port ${url.port} of ${hostname}, which it does not use`);
  const forges = forge
    ? page.forges.filter((name) => name === forge)
    : sortByHostname(hostname, page);
  const [first, ...more] = forges;
  // The host has no pages of this form, so the text is not an issue URL.
  if (!first || (forge && forge !== 'gitlab' && page.project.length > 2)) return null;
  const { number, kind } = page;
  const origin = forge ? `https://${hostname}` : url.origin;
  const project = page.project.join('/');
  return { is: 'link', link: { origin, project, number, kind, codeHosts: [first, ...more] } };
}

type Page =
  | {
      is: 'page';
      project: string[];
      number: number;
      kind: IssueUrl['kind'];
      /** Kinds of code hosts with pages of this form, likeliest first. */
      forges: readonly CodeHostKind[];
    }
  | { is: 'other'; what: string };

/** Kinds of project pages by the word in their paths. */
const PAGE_WORDS: Readonly<
  Record<string, Pick<IssueUrl, 'kind'> & { forges: readonly CodeHostKind[] }>
> = {
  issues: { kind: 'issue', forges: ['gitea', 'github', 'gitlab'] },
  pull: { kind: 'change', forges: ['github'] },
  pulls: { kind: 'change', forges: ['gitea'] },
  merge_requests: { kind: 'change', forges: ['gitlab'] },
};

/** Parses the path of an issue, change or similar page; null for other pages. Segments after the number are ignored. */
function parsePagePath(path: string): Page | null {
  const segments = path.split('/').slice(1);
  const dash = segments.indexOf('-');
  if (dash >= 0) return parseGitlabPath(segments.slice(0, dash), segments.slice(dash + 1));
  const at = segments.findIndex(
    (name, index) => index >= 2 && NUMBER.test(segments[index + 1] ?? '') && isPageWord(name),
  );
  const project = segments.slice(0, at);
  const word = segments[at] ?? '';
  if (at < 0 || !isProject(project)) return null;
  if (word === 'discussions') return { is: 'other', what: 'a discussion' };
  const page = PAGE_WORDS[word];
  if (!page) return null;
  // Only GitLab has nested groups.
  const forges = project.length > 2 ? (['gitlab'] as const) : page.forges;
  return { is: 'page', project, number: Number(segments[at + 1]), kind: page.kind, forges };
}

const isPageWord = (name: string) => name === 'discussions' || Object.hasOwn(PAGE_WORDS, name);

/** Parses the part of a GitLab path after `/-/`. Incidents and other work items are issues with a different page. */
function parseGitlabPath(project: string[], [word = '', ...rest]: string[]): Page | null {
  const digits = (word === 'issues' && rest[0] === 'incident' ? rest[1] : rest[0]) ?? '';
  if (!NUMBER.test(digits) || project.length < 2) return null;
  if (word === 'epics') return { is: 'other', what: 'an epic' };
  const kind = word === 'merge_requests' ? 'change' : 'issue';
  if (!['issues', 'work_items', 'merge_requests'].includes(word) || !isProject(project))
    return null;
  return { is: 'page', project, number: Number(digits), kind, forges: ['gitlab'] };
}

const isProject = (segments: readonly string[]): boolean =>
  segments.length >= 2 &&
  segments.every((name) => SEGMENT.test(name) && name !== '.' && name !== '..');

/** Returns the kind of a public code host or of GitHub's enterprise cloud; null for any other host. */
function findCodeHost(hostname: string): CodeHostKind | null {
  if (/^[\w-]+\.ghe\.com$/.test(hostname)) return 'github';
  return Object.hasOwn(PUBLIC_HOSTS, hostname) ? (PUBLIC_HOSTS[hostname] ?? null) : null;
}

/** Sorts the possible kinds of an unknown host: the one that its name suggests comes first. */
function sortByHostname(
  hostname: string,
  { forges }: { forges: readonly CodeHostKind[] },
): CodeHostKind[] {
  const hints: [RegExp, CodeHostKind][] = [
    [/gitlab/, 'gitlab'],
    [/github|ghe/, 'github'],
    [/gitea|forgejo/, 'gitea'],
  ];
  const hinted = hints.find(([hint]) => hint.test(hostname))?.[1];
  return forges.toSorted((a, b) => Number(b === hinted) - Number(a === hinted));
}

/** Project on a host that a git remote points to. */
export interface RemoteProject {
  origin: string;
  project: string;
}

/** Parses a remote's URL (`https`, `ssh` or `user@host:path`); null if it has no host or no project path. */
export function parseRemoteProject(address: string): RemoteProject | null {
  const remote = parseRemote(address);
  if (!remote || !isProject(remote.path.split('/'))) return null;
  const { scheme, host, path } = remote;
  return { origin: `${findCodeHost(host) ? 'https' : scheme}://${host}`, project: path };
}

/** Resolves a reference with a repository's remote, or on github.com if there is none. Null if the project is unknown. */
export function resolveReference(
  { project, number, kind }: IssueReference,
  remote: RemoteProject | null,
): IssueUrl | null {
  const origin = remote?.origin ?? 'https://github.com';
  const fullProject = project ?? remote?.project;
  if (fullProject === undefined) return null;
  const { hostname } = new URL(origin);
  const known = findCodeHost(hostname);
  const isGitlab = kind === 'change' || fullProject.split('/').length > 2;
  const possible: readonly CodeHostKind[] = isGitlab
    ? ['gitlab']
    : (PAGE_WORDS.issues?.forges ?? []);
  const forges = known
    ? possible.filter((name) => name === known)
    : sortByHostname(hostname, { forges: possible });
  const [first, ...more] = forges;
  return first ? { origin, project: fullProject, number, kind, codeHosts: [first, ...more] } : null;
}

/** Returns words for an issue or change: `issue #123 of owner/repo`. */
export function describeIssueUrl({ project, number, kind, codeHosts }: IssueUrl): string {
  if (kind === 'issue') return `issue #${number} of ${project}`;
  return codeHosts[0] === 'gitlab'
    ? `merge request !${number} of ${project}`
    : `pull request #${number} of ${project}`;
}

/** Returns `owner/repo#123` and the URL of its page. */
export function toIssueSource(link: IssueUrl): IssueSource {
  const { origin, project, number, kind, codeHosts } = link;
  const [forge] = codeHosts;
  const isChange = kind === 'change';
  const words: Record<CodeHostKind, string> = {
    github: isChange ? 'pull' : 'issues',
    gitlab: isChange ? '-/merge_requests' : '-/issues',
    gitea: isChange ? 'pulls' : 'issues',
  };
  const sign = isChange && forge === 'gitlab' ? '!' : '#';
  return {
    label: `${project}${sign}${number}`,
    url: `${origin}/${project}/${words[forge]}/${number}`,
  };
}

/** Formats the host that a user consents to: with its port, and with `http://` if the connection is unencrypted. */
export const formatHost = ({ origin }: Pick<IssueUrl, 'origin'>): string =>
  origin.replace(/^https:\/\//, '');

/** Parses a host that a user typed into the form of `formatHost`; null if it is not a host. */
export function parseHost(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = /^[^\s\\@?#]{1,300}$/.test(text) && URL.canParse(address) ? new URL(address) : null;
  // The URL parser accepts `*` in a host, but patterns are not allowed here.
  return url && url.pathname === '/' && /^[\w.:[\]-]+$/.test(url.host) ? formatHost(url) : null;
}

/** Returns true if others on the network could read requests and answers. */
export function isExposed({ origin }: Pick<IssueUrl, 'origin'>): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol !== 'https:' && !isLoopback(hostname);
}
