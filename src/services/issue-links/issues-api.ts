/** Issues and comments as GitHub's API answers with them, and Gitea's after it. */
import { z } from 'zod';
import type { RemoteComment, RemoteIssue } from './forge.ts';

const issue = z.object({ title: z.string(), body: z.string().nullish() });
const comments = z.array(
  z.object({
    user: z.object({ login: z.string() }).nullish(),
    created_at: z.string(),
    body: z.string().nullish(),
  }),
);

/** Null for an answer of another form. */
export function readIssue(answer: unknown): RemoteIssue | null {
  const { data } = issue.safeParse(answer);
  return data ? { title: data.title, body: data.body ?? '' } : null;
}

/** Null for an answer of another form. */
export function readComments(answer: unknown): RemoteComment[] | null {
  const { data } = comments.safeParse(answer);
  if (!data) return null;
  return data.map(({ user, created_at, body }) => ({
    // An account that was deleted is shown as this one; Gitea leaves it a name without letters.
    author: user?.login || 'ghost',
    at: created_at,
    body: body ?? '',
  }));
}
