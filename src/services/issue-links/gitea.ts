import { z } from 'zod';
import type { IssueLink } from '../../shared/issue-link.ts';
import type { Forge } from './forge.ts';

/** The API that Gitea and Forgejo describe under /api/swagger; pull requests are issues in it. */
const issue = z.object({ title: z.string(), body: z.string().nullish() });
const comments = z.array(
  z.object({
    user: z.object({ login: z.string() }).nullish(),
    created_at: z.string(),
    body: z.string().nullish(),
  }),
);

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
  readIssue(answer) {
    const { data } = issue.safeParse(answer);
    return data ? { title: data.title, body: data.body ?? '' } : null;
  },
  readComments(answer) {
    const { data } = comments.safeParse(answer);
    if (!data) return null;
    const all = data.map(({ user, created_at, body }) => ({
      author: user?.login || 'ghost',
      at: created_at,
      body: body ?? '',
    }));
    return { comments: all, more: false };
  },
  resetHeader: 'x-ratelimit-reset',
};
