/** Posts a list to its issue. Only the user's own `gh` sends it, and only on the user's command. */
import { describeIssueUrl, formatHost, type IssueUrl, toIssueSource } from './issue-url.ts';

/** An issue or pull request that `gh` can comment on. */
export interface PostTarget {
  /** `owner/repo#123`, with the host in front unless it is github.com. */
  label: string;
  url: string;
  /** `github.com`, or the host of a GitHub Enterprise Server. */
  host: string;
  /** `owner/repo` */
  project: string;
  number: number;
}

/** A target that was shown to the user, with a ticket that can post to it once. */
export interface PostOffer extends PostTarget {
  ticket: string;
}

export interface PostResult {
  label: string;
  /** URL of the comment, or of the issue if `gh` reports none. */
  url: string;
}

/** Maximum length of a comment on GitHub, in characters. */
export const MAX_POSTED = 65_536;

/** Returns the target for a list, or the reason why `gh` cannot comment there, as words that follow “gh cannot comment on …”. */
export function resolvePostTarget(link: IssueUrl): PostTarget | { refused: string } {
  const { project, number, origin } = link;
  const host = formatHost(link);
  const refuse = (why: string) => ({ refused: `${describeIssueUrl(link)}, ${why}` });
  if (!link.codeHosts.includes('github')) return refuse(`which is on ${host}, not on GitHub`);
  if (project.split('/').length !== 2) return refuse('which is in a nested group');
  if (!origin.startsWith('https://')) return refuse(`since ${host} is not encrypted`);
  if (new URL(origin).port) return refuse(`since ${host} has a port`);
  const { label, url } = toIssueSource({ ...link, codeHosts: ['github'] });
  return {
    label: host === 'github.com' ? label : `${host}/${label}`,
    url,
    host,
    project,
    number,
  };
}
