/** Requests and answers of each kind of forge, by its published API. */
import { z } from 'zod';
import type { ForgeName, IssueLink } from '../../shared/issue-link.ts';

export interface RemoteIssue {
  title: string;
  /** Markdown with the comments of templates; empty if the issue has no text. */
  body: string;
}

export interface RemoteComment {
  author: string;
  /** ISO 8601. */
  at: string;
  /** Markdown. */
  body: string;
}

export interface Forge {
  name: ForgeName;
  title: string;
  /** Address of the API of a host. */
  api(origin: string): string;
  /** Path of an issue or a change in the API. */
  issuePath(link: IssueLink): string;
  /** Path of a page of its comments after its own, oldest first. */
  commentsPath(page: number): string;
  /** Comments on a page; null for an API that gives all at once. */
  perPage: number | null;
  /** Headers of every request; `token` is for this host alone. */
  headers(token: string | null): Record<string, string>;
  issue: z.ZodType<RemoteIssue>;
  /** Null for an entry that is no comment of a person. */
  comments: z.ZodType<(RemoteComment | null)[]>;
  /** The header with the time, in seconds since 1970, from which requests are answered again. */
  resetHeader: string;
}

/** Issues as GitHub's API answers with them, and Gitea's after it. */
const issue = z
  .object({ title: z.string(), body: z.string().nullish() })
  .transform(({ title, body }) => ({ title, body: body ?? '' }));

const comments = z.array(
  z
    .object({
      user: z.object({ login: z.string() }).nullish(),
      created_at: z.string(),
      body: z.string().nullish(),
    })
    .transform(({ user, created_at, body }) => ({
      // An account that was deleted is shown as this one; Gitea leaves it a name without letters.
      author: user?.login || 'ghost',
      at: created_at,
      body: body ?? '',
    })),
);

const authorization = (scheme: string, token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `${scheme} ${token}` };

const hostPath = ({ project, number }: IssueLink): string => `/repos/${project}/issues/${number}`;

export const FORGES: Readonly<Record<ForgeName, Forge>> = {
  // https://docs.github.com/en/rest/issues/issues, which answers for pull requests too.
  github: {
    name: 'github',
    title: 'GitHub',
    /** github.com and hosts of ghe.com have the API on a host of its own, Enterprise Server below a path. */
    api: (origin) => {
      const { host } = new URL(origin);
      const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
      return isCloud ? `https://api.${host}` : `${origin}/api/v3`;
    },
    issuePath: hostPath,
    commentsPath: (page) => `/comments?per_page=50&page=${page}`,
    perPage: 50,
    headers: (token) => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...authorization('Bearer', token),
    }),
    issue,
    comments,
    resetHeader: 'x-ratelimit-reset',
  },
  // https://docs.gitlab.com/api/issues, /api/merge_requests and /api/notes.
  gitlab: {
    name: 'gitlab',
    title: 'GitLab',
    api: (origin) => `${origin}/api/v4`,
    issuePath: ({ project, number, kind }) =>
      `/projects/${encodeURIComponent(project)}/${kind === 'change' ? 'merge_requests' : 'issues'}/${number}`,
    commentsPath: (page) => `/notes?order_by=created_at&sort=asc&per_page=50&page=${page}`,
    perPage: 50,
    headers: (token) => ({ accept: 'application/json', ...authorization('Bearer', token) }),
    issue: z
      .object({ title: z.string(), description: z.string().nullish() })
      .transform(({ title, description }) => ({ title, body: description ?? '' })),
    comments: z.array(
      z
        .object({
          author: z.object({ username: z.string() }).nullish(),
          created_at: z.string(),
          body: z.string().nullish(),
          /** True for what GitLab itself notes of changes. */
          system: z.boolean().default(false),
        })
        .transform(({ author, created_at, body, system }) =>
          system ? null : { author: author?.username ?? 'ghost', at: created_at, body: body ?? '' },
        ),
    ),
    resetHeader: 'ratelimit-reset',
  },
  // As Gitea and Forgejo describe it under /api/swagger; pull requests are issues in it.
  gitea: {
    name: 'gitea',
    title: 'Gitea or Forgejo',
    api: (origin) => `${origin}/api/v1`,
    issuePath: hostPath,
    commentsPath: () => '/comments',
    perPage: null,
    headers: (token) => ({ accept: 'application/json', ...authorization('token', token) }),
    issue,
    comments,
    resetHeader: 'x-ratelimit-reset',
  },
};
