/** The history of a repository: who changed a line last, and what can be searched in place of its files. */
import { z } from 'zod';
import { MAX_PATH } from './limits.ts';

export const blameRequest = z.object({
  path: z.string().min(1).max(MAX_PATH),
  line: z.int().min(1),
});

/** The commit that changed a line last. */
const blamedCommit = z.object({
  /** Its full id. */
  commit: z.string(),
  author: z.string(),
  /** Seconds since 1970, by the author's clock. */
  time: z.number(),
  /** Its message with the first line; the end of a very long one is left out. */
  message: z.string(),
  /** True if the history ends with it, as in a shallow clone: the line may be older. */
  cut: z.boolean(),
});
export type BlamedCommit = z.output<typeof blamedCommit>;

/**
 * Reason why a line has no commit: the folder has no git or no commit; the line, or its file, is not committed as it is
 * shown; or the file that is shown is too unlike the committed one to tell.
 */
const unblamed = z.enum(['no-git', 'not-committed', 'rewritten']);
export type Unblamed = z.output<typeof unblamed>;

export const blame = z.union([
  z.object({ commit: blamedCommit }),
  z.object({ commit: z.null(), why: unblamed }),
]);
export type Blame = z.output<typeof blame>;

/** A commit, under the name by which a person knows it. */
export interface Revision {
  kind: 'branch' | 'remote' | 'tag' | 'commit';
  /** Of a branch or a tag, without `refs/…`; of a commit, the first ten digits of its id. */
  name: string;
  /** Its full id. */
  commit: string;
  /** The first line of the commit's message. */
  subject: string;
  /** When it was committed (of an annotated tag: made), ISO 8601; null for what is no date. */
  at: string | null;
}

/** The latest first in each list, and of each so many at most. */
export interface Revisions {
  branches: Revision[];
  tags: Revision[];
  /** HEAD and the commits before it. */
  commits: Revision[];
  /** What the name that was asked for stands for; null without one, and where there is no such commit. */
  named: Revision | null;
}
