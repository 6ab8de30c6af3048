import { z } from 'zod';
import type { IssueLink } from '../../shared/issue-link.ts';
import { type Forge, PAGE } from './forge.ts';

/** https://docs.github.com/en/rest/issues/issues, which answers for pull requests too. */
const issue = z.object({ title: z.string(), body: z.string().nullish() });
const comments = z.array(
  z.object({
    user: z.object({ login: z.string() }).nullish(),
    created_at: z.string(),
    body: z.string().nullish(),
  }),
);

/** github.com and hosts of ghe.com have the API on a host of its own, Enterprise Server below a path. */
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
  readIssue(answer) {
    const { data } = issue.safeParse(answer);
    return data ? { title: data.title, body: data.body ?? '' } : null;
  },
  readComments(answer) {
    const { data } = comments.safeParse(answer);
    if (!data) return null;
    return {
      // An account that was deleted is shown as this one.
      comments: data.map(({ user, created_at, body }) => ({
        author: user?.login ?? 'ghost',
        at: created_at,
        body: body ?? '',
      })),
      more: data.length >= PAGE,
    };
  },
  resetHeader: 'x-ratelimit-reset',
};
