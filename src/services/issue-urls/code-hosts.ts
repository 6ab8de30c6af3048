/** Requests to and answers of each kind of code host, by its published API. */
import { z } from 'zod';
import type { CodeHostKind, IssueUrl } from '../../shared/issue-url.ts';

export interface RemoteIssue {
  title: string;
  /** Markdown, including comments of issue templates; empty if the issue has no text. */
  body: string;
}

export interface RemoteComment {
  author: string;
  /** ISO 8601. */
  at: string;
  /** Markdown. */
  body: string;
}

export interface CodeHost {
  name: CodeHostKind;
  title: string;
  /** Returns the address of a host's API. */
  api(origin: string): string;
  /** Returns the path of an issue or a change in the API. */
  issuePath(link: IssueUrl): string;
  /** Returns the path of a page of comments, relative to the issue's path. Oldest comments come first. */
  commentsPath(page: number): string;
  /** Comments on a page; null if the API returns all at once. */
  perPage: number | null;
  /** Returns the headers of every request. `token` is for this host alone. */
  headers(token: string | null): Record<string, string>;
  issue: z.ZodType<RemoteIssue>;
  /** Comments; null for an entry that is not a person's comment. */
  comments: z.ZodType<(RemoteComment | null)[]>;
  /** Name of the header with the time, in seconds since 1970, at which a rate limit ends. */
  resetHeader: string;
}

/** Issue in the format of GitHub's API, which Gitea shares. */
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
      // GitHub shows a deleted account as `ghost`; Gitea's has an empty name.
      author: user?.login || 'ghost',
      at: created_at,
      body: body ?? '',
    })),
);

const authorization = (scheme: string, token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `${scheme} ${token}` };

const getIssuePath = ({ project, number }: IssueUrl): string =>
  `/repos/${project}/issues/${number}`;

export const CODE_HOSTS: Readonly<Record<CodeHostKind, CodeHost>> = {
  // https://docs.github.com/en/rest/issues/issues, which also covers pull requests.
  github: {
    name: 'github',
    title: 'GitHub',
    /** github.com and *.ghe.com have a separate host for the API. Enterprise Server has it below a path. */
    api: (origin) => {
      const { host } = new URL(origin);
      const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
      return isCloud ? `https://api.${host}` : `${origin}/api/v3`;
    },
    issuePath: getIssuePath,
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
          /** True for entries that GitLab itself adds about changes. */
          system: z.boolean().default(false),
        })
        .transform(({ author, created_at, body, system }) =>
          system ? null : { author: author?.username ?? 'ghost', at: created_at, body: body ?? '' },
        ),
    ),
    resetHeader: 'ratelimit-reset',
  },
  // Documented by Gitea and Forgejo under /api/swagger. Pull requests are issues there.
  gitea: {
    name: 'gitea',
    title: 'Gitea or Forgejo',
    api: (origin) => `${origin}/api/v1`,
    issuePath: getIssuePath,
    commentsPath: () => '/comments',
    perPage: null,
    headers: (token) => ({ accept: 'application/json', ...authorization('token', token) }),
    issue,
    comments,
    resetHeader: 'x-ratelimit-reset',
  },
};
