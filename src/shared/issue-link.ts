/**
 * Links to issues, as people paste them: what is one, and what it stands for. Pure: nothing here reaches anywhere, and
 * nothing but the text decides.
 */
import type { IssueSource } from './issues.ts';
import { MAX_LINK } from './limits.ts';
import { isLoopback, parseRemote } from './remote-url.ts';

/** What runs on a host: GitHub and its Enterprise Server, GitLab, Gitea and Forgejo. */
export const FORGE_NAMES = ['github', 'gitlab', 'gitea'] as const;
export type ForgeName = (typeof FORGE_NAMES)[number];

/** An issue of a project, or a change proposed to it (a pull or merge request). */
export interface IssueLink {
  /** Scheme, host and port of its page. */
  origin: string;
  /** `owner/repo`; on GitLab with any number of groups before it. */
  project: string;
  number: number;
  kind: 'issue' | 'change';
  /** What may run on the host, likeliest first; one where the link or the host says it. */
  forges: readonly [ForgeName, ...ForgeName[]];
}

/** `#123`, `owner/repo#123`, `!12`: what host it is on, and of what project, a repository's remote says. */
export interface IssueReference {
  project: string | null;
  number: number;
  kind: IssueLink['kind'];
}

/** What a text is that is a link and nothing else. */
export type PastedLink =
  | { is: 'link'; link: IssueLink }
  | { is: 'reference'; reference: IssueReference }
  /** A link that is not fetched, and why: words that follow “this is a link”. */
  | { is: 'refused'; why: string };

/** What a link stands for, and what fetching it takes; nothing has left the machine for it. */
export interface LinkOffer {
  /** `issue #123 of owner/repo` */
  what: string;
  /** What is agreed to, see `hostOf`. */
  host: string;
  /** The host that is asked: `api.github.com` for `github.com`. */
  asks: string;
  /** Where the token comes from that would be sent; null for none. */
  token: string | null;
  agreed: boolean;
  /** Why it cannot be agreed to for once. */
  barred: { message: string; remedy: string } | null;
}

export interface FetchedIssue {
  /** Title and body, and the comments that were asked for, as Markdown. */
  text: string;
  source: IssueSource;
  host: string;
  asks: string;
  token: string | null;
  comments: number;
  /** What a person should know, such as what is left out. */
  notes: string[];
}

const NUMBER = /^[1-9]\d{0,9}$/;
const SEGMENT = /^[\w.-]+$/;
const REFERENCE = /^([\w.-]+(?:\/[\w.-]+)+)?([#!])(\d+)$/;

/** Hosts that everybody knows; they have one port each, and speak no plain http. */
const KNOWN: Readonly<Record<string, ForgeName>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
};

/** Whether a text is a link to an issue and nothing else, so that it is nothing to search for. */
export const isIssueLink = (text: string): boolean => readLink(text) !== null;

/** What a text stands for that is a link and nothing else; null for any other text. */
export function readLink(text: string): PastedLink | null {
  if (text.length > MAX_LINK) return null;
  const alone = text.trim().replace(/^<([^<>]*)>$/, '$1');
  if (alone === '' || /[\s\\]/.test(alone)) return null;
  return readReference(alone) ?? readUrl(alone);
}

function readReference(text: string): PastedLink | null {
  const [, project, sign, digits = ''] = REFERENCE.exec(text) ?? [];
  if (!sign || !NUMBER.test(digits) || (project && !isProject(project.split('/')))) return null;
  const kind = sign === '!' ? 'change' : 'issue';
  return { is: 'reference', reference: { project: project ?? null, number: Number(digits), kind } };
}

function readUrl(text: string): PastedLink | null {
  const isBare = Object.keys(KNOWN).some((host) => text.toLowerCase().startsWith(`${host}/`));
  const address = isBare ? `https://${text}` : text;
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null;
  const page = url && pageOf(url.pathname);
  if (!url || !page) return null;
  const refused = (why: string): PastedLink => ({ is: 'refused', why });
  if (url.username || url.password) return refused('with a user name or password in it');
  if (page.is === 'other') return refused(`to ${page.what}, which is not fetched`);
  const hostname = url.hostname.replace(/^www\.(?=github\.com$)/, '');
  const forge = knownForge(hostname);
  if (forge && url.port) return refused(`to port ${url.port} of ${hostname}, which is not its own`);
  const forges = forge ? page.forges.filter((name) => name === forge) : byName(hostname, page);
  const [first, ...more] = forges;
  // No page that this host has: a text like any other.
  if (!first || (forge && forge !== 'gitlab' && page.project.length > 2)) return null;
  const { number, kind } = page;
  const origin = forge ? `https://${hostname}` : url.origin;
  const project = page.project.join('/');
  return { is: 'link', link: { origin, project, number, kind, forges: [first, ...more] } };
}

type Page =
  | {
      is: 'page';
      project: string[];
      number: number;
      kind: IssueLink['kind'];
      /** What has pages of this form, likeliest first. */
      forges: readonly ForgeName[];
    }
  | { is: 'other'; what: string };

/** Pages of a project by the word in their paths. */
const WORDS: Readonly<Record<string, Pick<IssueLink, 'kind'> & { forges: readonly ForgeName[] }>> =
  {
    issues: { kind: 'issue', forges: ['gitea', 'github', 'gitlab'] },
    pull: { kind: 'change', forges: ['github'] },
    pulls: { kind: 'change', forges: ['gitea'] },
    merge_requests: { kind: 'change', forges: ['gitlab'] },
  };

/** Null for the path of a page that is none of an issue or the like. What follows the number is a part of the page. */
function pageOf(path: string): Page | null {
  const segments = path.split('/').slice(1);
  const dash = segments.indexOf('-');
  if (dash >= 0) return gitlabPage(segments.slice(0, dash), segments.slice(dash + 1));
  const at = segments.findIndex(
    (name, index) => index >= 2 && NUMBER.test(segments[index + 1] ?? '') && isPageWord(name),
  );
  const project = segments.slice(0, at);
  const word = segments[at] ?? '';
  if (at < 0 || !isProject(project)) return null;
  if (word === 'discussions') return { is: 'other', what: 'a discussion' };
  const page = WORDS[word];
  if (!page) return null;
  // Only GitLab has groups in groups.
  const forges = project.length > 2 ? (['gitlab'] as const) : page.forges;
  return { is: 'page', project, number: Number(segments[at + 1]), kind: page.kind, forges };
}

const isPageWord = (name: string) => name === 'discussions' || Object.hasOwn(WORDS, name);

/** GitLab's own: what comes after `/-/`. Incidents and other work items are issues with another page. */
function gitlabPage(project: string[], [word = '', ...rest]: string[]): Page | null {
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

/** What runs on a host that everybody knows, or on GitHub's hosts for enterprises; null for any other. */
function knownForge(hostname: string): ForgeName | null {
  if (/^[\w-]+\.ghe\.com$/.test(hostname)) return 'github';
  return Object.hasOwn(KNOWN, hostname) ? (KNOWN[hostname] ?? null) : null;
}

/** What may run on another host, what its name says first. */
function byName(hostname: string, { forges }: { forges: readonly ForgeName[] }): ForgeName[] {
  const hints: [RegExp, ForgeName][] = [
    [/gitlab/, 'gitlab'],
    [/github|ghe/, 'github'],
    [/gitea|forgejo/, 'gitea'],
  ];
  const hinted = hints.find(([hint]) => hint.test(hostname))?.[1];
  return forges.toSorted((a, b) => Number(b === hinted) - Number(a === hinted));
}

/** Where a remote of git's leads: a project on a host. */
export interface Remote {
  origin: string;
  project: string;
}

/** The project that a remote's URL leads to, `https`, `ssh` or `user@host:path`; null for what has no host, and others. */
export function readRemote(address: string): Remote | null {
  const remote = parseRemote(address);
  if (!remote || !isProject(remote.path.split('/'))) return null;
  const { scheme, host, path } = remote;
  return { origin: `${knownForge(host) ? 'https' : scheme}://${host}`, project: path };
}

/** What a reference stands for in a repository with this remote; without one, on github.com. Null where nothing says of what project. */
export function resolveReference(
  { project, number, kind }: IssueReference,
  remote: Remote | null,
): IssueLink | null {
  const origin = remote?.origin ?? 'https://github.com';
  const of = project ?? remote?.project;
  if (of === undefined) return null;
  const { hostname } = new URL(origin);
  const known = knownForge(hostname);
  const mayBe: readonly ForgeName[] =
    kind === 'change' || of.split('/').length > 2 ? ['gitlab'] : (WORDS.issues?.forges ?? []);
  const forges = known
    ? mayBe.filter((name) => name === known)
    : byName(hostname, { forges: mayBe });
  const [first, ...more] = forges;
  return first ? { origin, project: of, number, kind, forges: [first, ...more] } : null;
}

/** `issue #123 of owner/repo` */
export function describeLink({ project, number, kind, forges }: IssueLink): string {
  if (kind === 'issue') return `issue #${number} of ${project}`;
  return forges[0] === 'gitlab'
    ? `merge request !${number} of ${project}`
    : `pull request #${number} of ${project}`;
}

/** `owner/repo#123` and the address of its page. */
export function sourceOf(link: IssueLink): IssueSource {
  const { origin, project, number, kind, forges } = link;
  const [forge] = forges;
  const isChange = kind === 'change';
  const words: Record<ForgeName, string> = {
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

/** What is agreed to when a link is fetched: a host with its port, and `http://` before one that is asked unencrypted. */
export const hostOf = ({ origin }: Pick<IssueLink, 'origin'>): string =>
  origin.replace(/^https:\/\//, '');

/** A host as `hostOf` writes it, of one that a person wrote; null for what is none. */
export function readHost(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = /^[^\s\\@?#]{1,300}$/.test(text) && URL.canParse(address) ? new URL(address) : null;
  // No patterns: `*` is a letter to the parser of URLs.
  return url && url.pathname === '/' && /^[\w.:[\]-]+$/.test(url.host) ? hostOf(url) : null;
}

/** Whether what is asked of it and answered can be read on the way. */
export function isExposed({ origin }: Pick<IssueLink, 'origin'>): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol !== 'https:' && !isLoopback(hostname);
}
