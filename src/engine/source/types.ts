import type { SkippedFile } from '../../shared/indexing.ts';
import type { AttributeRule } from './attributes.ts';
import type { HashMemory } from './hash-memory.ts';

/** A file that a source tree offers for indexing. */
export interface SourceEntry {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Git's blob id of the content, lower-case hex; the content hash by which work is shared. Null when only reading can tell. */
  hash: string | null;
  /** Bytes. */
  size: number;
}

export interface SourceListing {
  entries: SourceEntry[];
  /** Files of known languages that were left out, with the reason. */
  skipped: SkippedFile[];
  /** Paths of git submodules, which are not entered. */
  submodules: string[];
  /** How many files there are in languages that are not read, by what people call them; of the paths that were asked for. */
  unread: Record<string, number>;
  /** What the repository says of the roles of its files, in the `.gitattributes` among the paths that were asked for. */
  attributes: AttributeRule[];
}

/** Content that was read and decoded, or the reason it was not. */
export type SourceContent =
  | { path: string; hash: string; size: number; text: string }
  | { path: string; skipped: SkippedFile };

/** A tree of sources: a working tree, a plain folder, or one commit in git's object store. */
export interface SourceTree {
  /** Absolute path of the folder (or the bare repository). */
  root: string;
  /** Full commit id for a commit, null for a folder on disk. */
  revision: string | null;
  /** Of a folder on disk: by what a file need not be read to know that it is as it was. */
  readonly hashes?: HashMemory;
  /** Full id of the commit that the tree is, or builds on; null without git or before the first commit. */
  head(signal?: AbortSignal): Promise<string | null>;
  /** Returns what a person should know of the tree as it was last listed. */
  notes?(): string[];
  /**
   * Files for which `accepts(path)` holds; entries are sorted by path. With `only`, the listing is cut down
   * to these paths: one that is then in neither `entries` nor `skipped` is not, or no longer, in the tree.
   * Beyond the limits of `limits.ts` files are left out, which `skipped` says.
   * Rejects with LocusError `bad-repository`, and `cancelled` when the signal aborts.
   */
  list(
    accepts: (path: string) => boolean,
    only?: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<SourceListing>;
  /**
   * Reads and decodes; yields in any order, exactly one item for each entry. Files that vanished yield `unreadable`.
   * Rejects as `list` does.
   */
  read(entries: readonly SourceEntry[], signal?: AbortSignal): AsyncIterable<SourceContent>;
  close(): Promise<void>;
}
