export interface FileEdit {
  path: string;
  /** Path before the commit, if the commit moved the file. */
  from: string | null;
  /** Qualified names of definitions with added or removed lines; `<module>` for lines outside any. */
  definitions: string[];
}

/** A commit with the data that ranking needs. */
export interface Commit {
  /** Full id, hex. */
  hash: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** Subject and body, cut to `MAX_MESSAGE`. */
  message: string;
  /** Edits; empty for commits of bots and commits that edit too many files. */
  edits: FileEdit[];
}

/** A commit as git lists it. */
export interface ListedCommit {
  /** Full ids, hex. */
  commit: string;
  parents: string[];
  /** Seconds since 1970, by the committer's clock. */
  time: number;
  author: string;
  message: string;
  /** Changed files: `before` is the previous blob id, `status` git's letter for the kind of change. */
  changes: { status: string; before: string; path: string }[];
}
