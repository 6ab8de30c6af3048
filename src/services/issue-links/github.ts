import type { IssueLink } from '../../shared/issue-link.ts';
import { type Forge, PAGE } from './forge.ts';
import { readComments, readIssue } from './issues-api.ts';

/**
 * https://docs.github.com/en/rest/issues/issues, which answers for pull requests too. github.com and hosts of ghe.com have
 * the API on a host of its own, Enterprise Server below a path.
 */
function api({ origin, project, number }: IssueLink): string {
  const { host } = new URL(origin);
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  return `${isCloud ? `https://api.${host}` : `${origin}/api/v3`}/repos/${project}/issues/${number}`;
}

export const github: Forge = {
  name: 'github',
  title: 'GitHub',
  apiHost: (link) => new URL(api(link)).host,
  issueUrl: api,
  commentsUrl: (link, page) => `${api(link)}/comments?per_page=${PAGE}&page=${page}`,
  headers: (token) => ({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }),
  readIssue,
  readComments(answer) {
    const comments = readComments(answer);
    return comments && { comments, more: comments.length >= PAGE };
  },
  resetHeader: 'x-ratelimit-reset',
};
