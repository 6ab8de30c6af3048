/** Posting a list to the issue that it is for. It leaves the machine by `gh`, which the user has set up, and only when told to. */
import { describeLink, hostOf, type IssueLink, sourceOf } from './issue-link.ts';

/** An issue or pull request that `gh` can comment on. */
export interface PostTarget {
  /** `owner/repo#123`; with its host in front where that is not github.com. */
  label: string;
  url: string;
  /** `github.com`, or that of a GitHub Enterprise. */
  host: string;
  /** `owner/repo` */
  project: string;
  number: number;
}

/** A target that was shown to the user, and what posts to it, once. */
export interface PostOffer extends PostTarget {
  ticket: string;
}

export interface Posted {
  label: string;
  /** Of the comment, as `gh` says; of the issue where it says none. */
  url: string;
}

/** Characters that GitHub takes in a comment. */
export const MOST_POSTED = 65_536;

/** What a list can be posted to, or why this is nothing of GitHub's: words that follow “gh cannot comment on …”. */
export function postTargetOf(link: IssueLink): PostTarget | { refused: string } {
  const { project, number, origin } = link;
  const host = hostOf(link);
  const refused = (why: string) => ({ refused: `${describeLink(link)}, ${why}` });
  if (!link.forges.includes('github')) return refused(`which is on ${host}, not on GitHub`);
  if (project.split('/').length !== 2) return refused('which is of a group of groups');
  if (!origin.startsWith('https://')) return refused(`since ${host} is asked unencrypted`);
  if (new URL(origin).port) return refused(`since ${host} has a port`);
  const { label, url } = sourceOf({ ...link, forges: ['github'] });
  return {
    label: host === 'github.com' ? label : `${host}/${label}`,
    url,
    host,
    project,
    number,
  };
}
