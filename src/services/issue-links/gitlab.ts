import { z } from 'zod';
import type { IssueLink } from '../../shared/issue-link.ts';
import { type Forge, PAGE } from './forge.ts';

/** https://docs.gitlab.com/api/issues and /api/merge_requests. */
const issue = z.object({ title: z.string(), description: z.string().nullish() });
/** https://docs.gitlab.com/api/notes; `system` are what GitLab itself notes of changes. */
const notes = z.array(
  z.object({
    author: z.object({ username: z.string() }).nullish(),
    created_at: z.string(),
    body: z.string().nullish(),
    system: z.boolean().default(false),
  }),
);

function api({ origin, project, number, kind }: IssueLink): string {
  const what = kind === 'change' ? 'merge_requests' : 'issues';
  return `${origin}/api/v4/projects/${encodeURIComponent(project)}/${what}/${number}`;
}

export const gitlab: Forge = {
  name: 'gitlab',
  title: 'GitLab',
  apiHost: ({ origin }) => new URL(origin).host,
  issueUrl: api,
  commentsUrl: (link, page) =>
    `${api(link)}/notes?order_by=created_at&sort=asc&per_page=${PAGE}&page=${page}`,
  headers: (token) => ({
    accept: 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }),
  readIssue(answer) {
    const { data } = issue.safeParse(answer);
    return data ? { title: data.title, body: data.description ?? '' } : null;
  },
  readComments(answer) {
    const { data } = notes.safeParse(answer);
    if (!data) return null;
    return {
      comments: data
        .filter(({ system }) => !system)
        .map(({ author, created_at, body }) => ({
          author: author?.username ?? 'ghost',
          at: created_at,
          body: body ?? '',
        })),
      more: data.length >= PAGE,
    };
  },
  resetHeader: 'ratelimit-reset',
};
