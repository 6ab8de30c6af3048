export interface FileEdit {
  path: string;
  /** Where the file was before, when the commit moved it. */
  from: string | null;
  /** Qualified names of the definitions that lines were added to or taken from; `<module>` for those outside any. */
  definitions: string[];
}

/** A commit as far as ranking needs it. */
export interface Commit {
  /** Full id, hex. */
  hash: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** Subject and body, cut to `MAX_MESSAGE`. */
  message: string;
  /** Empty for commits that say nothing of the code: bots, and those of too many files. */
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
  /** `before` is the id of the content before; `status` git's letter for what became of it. */
  changes: { status: string; before: string; path: string }[];
}
