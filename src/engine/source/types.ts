import type { SkippedFile } from '../../shared/indexing.ts';
import type { AttributeRule } from './attributes.ts';
import type { HashCache } from './hash-cache.ts';

/** File of a source tree that can be indexed. */
export interface SourceEntry {
  /** Path relative to the root, with forward slashes. */
  path: string;
  /** Content hash: git's blob id in lower-case hex. Files with the same hash share work. Null if the file has to be read first. */
  hash: string | null;
  /** Size in bytes. */
  size: number;
}

export interface SourceListing {
  entries: SourceEntry[];
  /** Files of known languages that were left out, with the reason. */
  skipped: SkippedFile[];
  /** Paths of git submodules, which are not entered. */
  submodules: string[];
  /** Number of files in unsupported languages, by the language's title, among the requested paths. */
  unsupported: Record<string, number>;
  /** Rules about the roles of files, from the `.gitattributes` among the requested paths. */
  attributes: AttributeRule[];
}

/** Decoded content of a file, or the reason why it was skipped. */
export type SourceContent =
  | { path: string; hash: string; size: number; text: string }
  | { path: string; skipped: SkippedFile };

/** Tree of source files: a working tree, a plain folder, or one commit in git's object store. */
export interface SourceTree {
  /** Absolute path of the folder (or the bare repository). */
  root: string;
  /** Full commit id for a commit, null for a folder on disk. */
  revision: string | null;
  /** For a folder on disk: cached hashes of unchanged files, which need not be read again. */
  readonly hashes?: HashCache;
  /** Returns the full id of the tree's commit, or of HEAD for a folder; null without git or before the first commit. */
  getHead(signal?: AbortSignal): Promise<string | null>;
  /** Returns messages for the user about the last listing. */
  listNotes?(): string[];
  /**
   * Lists the files for which `accepts(path)` is true, sorted by path. With `only`, lists these paths alone; a path that is
   * then in neither `entries` nor `skipped` is not in the tree. Files beyond the limits of `limits.ts` are left out, and
   * reported in `skipped`.
   * Rejects with LocusError `bad-repository`, and `cancelled` if the signal aborts.
   */
  list(
    accepts: (path: string) => boolean,
    only?: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<SourceListing>;
  /**
   * Reads and decodes files. Yields exactly one item for each entry, in any order; `unreadable` for a missing file.
   * Rejects as `list` does.
   */
  read(entries: readonly SourceEntry[], signal?: AbortSignal): AsyncIterable<SourceContent>;
  close(): Promise<void>;
}
