import type { IssueLink } from '../../shared/issue-link.ts';
import type { Forge } from './forge.ts';
import { readComments, readIssue } from './issues-api.ts';

/** As Gitea and Forgejo describe it under /api/swagger; pull requests are issues in it. */
const api = ({ origin, project, number }: IssueLink): string =>
  `${origin}/api/v1/repos/${project}/issues/${number}`;

export const gitea: Forge = {
  name: 'gitea',
  title: 'Gitea or Forgejo',
  apiHost: ({ origin }) => new URL(origin).host,
  issueUrl: api,
  // It has no pages.
  commentsUrl: (link) => `${api(link)}/comments`,
  headers: (token) => ({
    accept: 'application/json',
    ...(token !== null && { authorization: `token ${token}` }),
  }),
  readIssue,
  readComments(answer) {
    const comments = readComments(answer);
    return comments && { comments, more: false };
  },
  resetHeader: 'x-ratelimit-reset',
};
