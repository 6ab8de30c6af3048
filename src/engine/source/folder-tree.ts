import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, open, read, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { decodeSource } from '../../base/decode-source.ts';
import { OPEN_FLAGS, readSmallFile } from '../../base/git/special-files.ts';
import { getParent } from '../../shared/address.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { quoteText } from '../../shared/quote.ts';
import { CandidateList } from './candidates.ts';
import { findRootFailure } from './folder-fingerprint.ts';
import type { ExclusionFilter } from './gitignore.ts';
import { HashCache } from './hash-cache.ts';
import { checkFileSize, MAX_IGNORE_FILE_BYTES } from './limits.ts';
import { mapWindow } from './map-window.ts';
import { readSelection } from './selection.ts';
import type { SourceContent, SourceEntry, SourceListing, SourceTree } from './types.ts';

const openAsync = promisify(open);
const readAsync = promisify(read);

/** Number of files read at the same time, enough to keep a slow disk busy. */
const MAX_OPEN_FILES = 32;
/** Number of files after which other work of this thread gets a turn. */
const FILES_PER_TURN = 500;

/** Lists the files of a folder, through git's index or by walking. Returns folders that are known not to be links. */
export type FolderLister = (
  candidates: CandidateList,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
) => Promise<Iterable<string>>;

export class FolderTree implements SourceTree {
  readonly root: string;
  readonly revision = null;
  readonly getHead: (signal?: AbortSignal) => Promise<string | null>;
  readonly listNotes: () => string[];
  readonly #lister: FolderLister;
  readonly #excludes: ExclusionFilter;
  readonly hashes = new HashCache();

  constructor(
    root: string,
    lister: FolderLister,
    excludes: ExclusionFilter,
    head: (signal?: AbortSignal) => Promise<string | null>,
    notes: () => string[],
  ) {
    this.root = root;
    this.getHead = head;
    this.listNotes = notes;
    this.#lister = lister;
    this.#excludes = excludes;
  }

  async list(
    accepts: (path: string) => boolean,
    only?: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<SourceListing> {
    // A missing folder must not look like one whose files were all deleted.
    const failure = findRootFailure(this.root);
    if (failure) throw failure;
    const candidates = new CandidateList(accepts, readSelection(this.root, this.#excludes));
    const folders = new Map<string, boolean>([['', true]]);
    const seen = only?.size === 0 ? [] : await this.#lister(candidates, only, signal);
    for (const folder of seen) folders.set(folder, true);
    const entries: SourceEntry[] = [];
    for (const [index, path] of candidates.files.entries()) {
      if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await nextTurn();
      const found =
        isWithoutLinks(this.root, getParent(path), folders) &&
        examine(this.root, path, this.hashes);
      if (!found) continue;
      if ('reason' in found) candidates.addSkipped(found);
      else entries.push(found);
    }
    if (!only) this.hashes.retainOnly(candidates.files);
    const attributes = candidates.attributeFiles.flatMap((path) => {
      const folder = getParent(path);
      const file = isWithoutLinks(this.root, folder, folders)
        ? readSmallFile(join(this.root, path), MAX_IGNORE_FILE_BYTES, { followLinks: false })
        : null;
      return file && 'text' in file ? [{ folder, text: file.text }] : [];
    });
    return candidates.createListing(entries, attributes);
  }

  read(entries: readonly SourceEntry[]): AsyncIterable<SourceContent> {
    return mapWindow(entries, MAX_OPEN_FILES, ({ path }) =>
      readSource(this.root, path, this.hashes),
    );
  }

  async close(): Promise<void> {}
}

/** Returns true if no folder on the way from the root is a symbolic link. Git also lists files behind new links. */
function isWithoutLinks(root: string, folder: string, known: Map<string, boolean>): boolean {
  let real = known.get(folder);
  if (real === undefined) {
    real =
      isWithoutLinks(root, getParent(folder), known) &&
      (lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() ?? false);
    known.set(folder, real);
  }
  return real;
}

/** Examines one file on disk. Returns an entry, the reason to skip it, or null if there is no such file. */
function examine(root: string, path: string, hashes: HashCache): SourceEntry | SkippedFile | null {
  // Listed names are normalized already, so the path is not joined with `join`, which takes a tenth of the time of `lstat`.
  const file = `${root}${sep}${path}`;
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat || stat.isDirectory()) return null;
    if (stat.isSymbolicLink()) return examineLink(root, path);
    if (!stat.isFile()) return { path, reason: 'unreadable', detail: 'not a regular file' };
    return (
      checkFileSize(path, stat.size) ?? { path, hash: hashes.find(path, stat), size: stat.size }
    );
  } catch (error) {
    if (isGone(error)) return null;
    return { path, reason: 'unreadable', detail: quoteText((error as Error).message) };
  }
}

/** Returns the reason to skip a link, since links are never indexed; null for a link to a folder, which needs no report. */
function examineLink(root: string, path: string): SkippedFile | null {
  let target: string;
  try {
    target = realpathSync.native(join(root, path));
    if (statSync(target).isDirectory()) return null;
  } catch (error) {
    const isLoop = (error as NodeJS.ErrnoException).code === 'ELOOP';
    const detail = isLoop ? 'a symbolic link to itself' : 'a broken symbolic link';
    return { path, reason: 'unreadable', detail };
  }
  const inside = relative(root, target);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) {
    return { path, reason: 'outside the root', detail: `a symbolic link to ${quoteText(target)}` };
  }
  const detail = `a symbolic link to ${quoteText(inside.replaceAll(sep, '/'))}, which is indexed once`;
  return { path, reason: 'excluded', detail };
}

async function readSource(root: string, path: string, hashes: HashCache): Promise<SourceContent> {
  try {
    const readAt = Date.now();
    // Descriptors, since a `FileHandle` takes this thread ten times as long.
    const file = await openAsync(join(root, path), OPEN_FLAGS);
    try {
      const before = fstatSync(file);
      if (!before.isFile()) return unreadable(path, 'not a regular file');
      const large = checkFileSize(path, before.size);
      if (large) return { path, skipped: large };
      const bytes = Buffer.allocUnsafe(before.size + 1);
      const length = await readFully(file, bytes);
      const after = fstatSync(file);
      if (
        length !== before.size ||
        after.mtimeMs !== before.mtimeMs ||
        after.size !== before.size
      ) {
        return unreadable(path, 'it changed while it was read');
      }
      const content = bytes.subarray(0, length);
      const hash = blobId(content);
      hashes.store(path, before, readAt, hash);
      return decodeContent(path, hash, content);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return unreadable(path, isGone(error) ? 'it no longer exists' : (error as Error).message);
  }
}

async function readFully(file: number, bytes: Buffer): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await readAsync(file, bytes, length, bytes.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function unreadable(path: string, detail: string): SourceContent {
  return { path, skipped: { path, reason: 'unreadable', detail } };
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns git's id of a blob with this content, in lower-case hex. */
function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function decodeContent(path: string, hash: string, bytes: Uint8Array): SourceContent {
  const decoded = decodeSource(bytes);
  if ('reason' in decoded) return { path, skipped: { path, ...decoded } };
  return { path, hash, size: bytes.length, text: decoded.text };
}
