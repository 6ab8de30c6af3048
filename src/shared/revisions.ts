/** What of a repository's history can be searched in place of its files. */

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
