/** Who changed a line last: the question, and its answer. */
import { z } from 'zod';
import { MAX_PATH } from './limits.ts';

export const blameRequest = z.object({
  path: z.string().min(1).max(MAX_PATH),
  line: z.int().min(1),
});

/** The commit that a line is from. */
export interface BlamedCommit {
  /** Its full id. */
  commit: string;
  author: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** What it says, its first line included; the end of a very long one is left out. */
  message: string;
  /** The history ends with it, as of a shallow clone: the line may be older. */
  cut: boolean;
}

/**
 * Why a line has no commit: the folder has no git or no commit; the line, or its file, is not committed as it is shown;
 * or the file that is shown is so unlike the committed one that nobody can tell.
 */
export type Unblamed = 'no-git' | 'not-committed' | 'rewritten';

export type Blame = { commit: BlamedCommit } | { commit: null; why: Unblamed };
