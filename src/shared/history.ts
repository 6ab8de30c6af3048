/** History of a repository: the last commit of a line, and the revisions that can be searched instead of the working tree. */
import { z } from 'zod';
import { chunkName, chunkSummary } from './chunk.ts';
import { MAX_PATH } from './limits.ts';

export const blameRequest = z.object({
  path: z.string().min(1).max(MAX_PATH),
  line: z.int().min(1),
});

/** The commit that changed a line last. */
const blamedCommit = z.object({
  /** Full commit id. */
  commit: z.string(),
  author: z.string(),
  /** Author's time in seconds since 1970. */
  time: z.number(),
  /** Message including the subject; the end of a very long one is cut off. */
  message: z.string(),
  /** True if the history ends with this commit, as in a shallow clone, so that the line may be older. */
  cut: z.boolean(),
});
export type BlamedCommit = z.output<typeof blamedCommit>;

/**
 * Reason why a line has no commit. `no-git`: the folder has no git repository or no commit. `not-committed`: the line or its
 * file is not committed as shown. `rewritten`: the shown file differs too much from the committed one.
 */
const unblamed = z.enum(['no-git', 'not-committed', 'rewritten']);
export type NoBlameReason = z.output<typeof unblamed>;

export const blame = z.union([
  z.object({ commit: blamedCommit }),
  z.object({ commit: z.null(), why: unblamed }),
]);
export type Blame = z.output<typeof blame>;

export const historyRequest = z.object({
  chunk: chunkName,
  /** Maximum number of commits. */
  limit: z.int().min(1).max(200).default(10),
});

/** Past commits that changed a chunk, as far as the history was read. Overloads share theirs. */
export const chunkHistory = z.object({
  of: chunkSummary,
  /** Newest first. */
  commits: z.array(
    z.object({
      /** Full commit id. */
      commit: z.string(),
      subject: z.string(),
      /** Author's time in seconds since 1970. */
      time: z.number(),
    }),
  ),
  /** Number of commits beyond the limit. */
  hidden: z.number(),
  /** False if the repository has no history, or if it has not been read yet. */
  hasHistory: z.boolean(),
});
export type ChunkHistory = z.output<typeof chunkHistory>;

/** A commit with the name that a user chooses it by. */
export interface Revision {
  kind: 'branch' | 'remote' | 'tag' | 'commit';
  /** Name of a branch or tag without `refs/…`, or the first ten digits of a commit id. */
  name: string;
  /** Full commit id. */
  commit: string;
  /** First line of the commit message. */
  subject: string;
  /** Time of the commit or annotated tag, ISO 8601; null if git has no valid date. */
  at: string | null;
}

/** Revisions that can be opened, latest first in each list. The length of each list is limited. */
export interface Revisions {
  branches: Revision[];
  tags: Revision[];
  /** HEAD and the commits before it. */
  commits: Revision[];
  /** Revision with the requested name; null if no name was given or no commit matches it. */
  named: Revision | null;
}
