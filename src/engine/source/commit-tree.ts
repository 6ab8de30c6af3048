import { posix } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { decodeSource } from '../../base/decode-source.ts';
import { GitFailure, git, splitAtNul, streamGit } from '../../base/git/git.ts';
import { getParent } from '../../shared/address.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { quoteText } from '../../shared/quote.ts';
import type { AttributeFile } from './attributes.ts';
import { BlobReader } from './blob-reader.ts';
import { CandidateList } from './candidates.ts';
import { decodeContent } from './folder-tree.ts';
import type { ExclusionFilter } from './gitignore.ts';
import { checkFileSize, MAX_FILE_BYTES, MAX_IGNORE_FILE_BYTES, MAX_PATH_BYTES } from './limits.ts';
import { mapWindow } from './map-window.ts';
import { createSelection, type FileSelection, LEFT_OUT_FILE } from './selection.ts';
import type { SourceContent, SourceEntry, SourceListing, SourceTree } from './types.ts';

/** Commit id of at least 7 digits, since people often copy only a part. */
const COMMIT = /^[\da-f]{7,64}$/;
const TAG = /^[\w][\w.+-]{0,100}$/;

/**
 * Returns the text of a file at a commit or a tag; null if the repository has no readable version of it. Branches are not
 * looked up, because a branch may have moved since it was mentioned.
 * @param path relative to the root of the repository
 */
export async function readFileAt(
  tree: SourceTree,
  revision: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!TAG.test(revision) || (await tree.getHead(signal)) === null) return null;
  const commit = COMMIT.test(revision) ? revision : `refs/tags/${revision}`;
  try {
    const options = { maxBytes: MAX_FILE_BYTES, signal };
    const read = decodeSource(
      await git(tree.root, ['cat-file', 'blob', `${commit}:${path}`], options),
    );
    return 'text' in read ? read.text : null;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

/** Maximum number of blobs requested in advance. Their ids fit easily into the pipe to git. */
const MAX_PENDING_BLOBS = 64;

/** One commit, or a folder of it, read directly from git's object store. */
export class CommitTree implements SourceTree {
  readonly root: string;
  readonly revision: string;
  /** Id of the tree that git lists: the commit's, or a folder's in it. */
  readonly #treeish: string;
  readonly #excludes: ExclusionFilter;
  #blobs: BlobReader | null = null;

  constructor(root: string, revision: string, treeish: string, excludes: ExclusionFilter) {
    this.root = root;
    this.revision = revision;
    this.#treeish = treeish;
    this.#excludes = excludes;
  }

  async getHead(): Promise<string> {
    return this.revision;
  }

  async list(
    accepts: (path: string) => boolean,
    only?: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<SourceListing> {
    const candidates = new CandidateList(accepts, await this.#readSelection(signal));
    const entries: SourceEntry[] = [];
    const attributes: AttributeFile[] = [];
    const args = ['-r', '-z', '-l', '--full-tree', this.#treeish];
    const output = streamGit(this.root, ['ls-tree', ...args], { signal });
    for await (const lines of splitAtNul(output)) {
      for (const line of lines) {
        if (!candidates.hasRoom()) return candidates.createListing(entries, attributes);
        const entry = await this.#examine(line, candidates, attributes, only);
        if (entry) entries.push(entry);
      }
    }
    return candidates.createListing(entries, attributes);
  }

  async *read(
    entries: readonly SourceEntry[],
    signal?: AbortSignal,
  ): AsyncGenerator<SourceContent> {
    const stop = () => this.#blobs?.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      yield* mapWindow(entries, MAX_PENDING_BLOBS, ({ path, hash }) => this.#read(path, hash));
    } catch (error) {
      throwIfCancelled(signal, 'Reading the repository');
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#blobs?.close();
  }

  /** Reads the rules in the commit. Files that git ignores are in none, so there is nothing to include. */
  async #readSelection(signal: AbortSignal | undefined): Promise<FileSelection> {
    const args = ['-z', '-l', '--full-tree', this.#treeish, LEFT_OUT_FILE];
    const output = (await git(this.root, ['ls-tree', ...args], { signal })).toString('latin1');
    const [, mode, hash, size] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t/.exec(output) ?? [];
    if (hash === undefined) return createSelection(this.#excludes, null, null);
    const problem =
      mode === SYMBOLIC_LINK
        ? 'a symbolic link'
        : Number(size) > MAX_IGNORE_FILE_BYTES
          ? `${size} bytes, of at most ${MAX_IGNORE_FILE_BYTES}`
          : null;
    if (problem !== null) return createSelection(this.#excludes, { problem }, null);
    const text = (await this.#getReader().read(hash))?.bytes?.toString('utf8') ?? '';
    return createSelection(this.#excludes, { text }, null);
  }

  /** Parses a line of `ls-tree`: `mode type id size<tab>name`. */
  async #examine(
    line: Buffer,
    candidates: CandidateList,
    attributes: AttributeFile[],
    only: ReadonlySet<string> | undefined,
  ): Promise<SourceEntry | null> {
    const tab = line.indexOf('\t');
    const name = line.subarray(tab + 1);
    if (only && !only.has(name.toString('utf8'))) return null;
    const [mode, type, hash, bytes] = line.toString('latin1', 0, tab).split(/ +/) as [
      string,
      string,
      string,
      string,
    ];
    if (type === 'commit') {
      candidates.addSubmodule(name, 'a submodule; open it separately to search it');
      return null;
    }
    const size = Number(bytes);
    const attributeFilesBefore = candidates.attributeFiles.length;
    const path = candidates.addFile(name);
    for (const attributeFile of candidates.attributeFiles.slice(attributeFilesBefore)) {
      if (mode === SYMBOLIC_LINK || size > MAX_IGNORE_FILE_BYTES) continue;
      const text = (await this.#getReader().read(hash))?.bytes?.toString('utf8') ?? '';
      attributes.push({ folder: getParent(attributeFile), text });
    }
    if (path === null) return null;
    const skipped =
      mode === SYMBOLIC_LINK
        ? await this.#examineLink(path, hash, size)
        : checkFileSize(path, size);
    if (!skipped) return { path, hash, size };
    candidates.addSkipped(skipped);
    return null;
  }

  async #read(path: string, hash: string | null): Promise<SourceContent> {
    const blob = hash === null ? null : await this.#getReader().read(hash);
    if (hash && blob?.bytes) return decodeContent(path, hash, blob.bytes);
    const detail = 'its content is missing from this repository (a partial clone?)';
    const skipped = blob && checkFileSize(path, blob.size);
    return { path, skipped: skipped ?? { path, reason: 'unreadable', detail } };
  }

  /** Returns the reason to skip a symbolic link, whose blob holds the path of its target. */
  async #examineLink(path: string, hash: string, size: number): Promise<SkippedFile> {
    if (size > MAX_PATH_BYTES) {
      const detail = `a symbolic link to a path of ${size} bytes`;
      return { path, reason: 'unreadable', detail };
    }
    const target = (await this.#getReader().read(hash))?.bytes?.toString('utf8') ?? '';
    const inside = posix.join(posix.dirname(path), target);
    if (posix.isAbsolute(target) || inside === '..' || inside.startsWith('../')) {
      return {
        path,
        reason: 'outside the root',
        detail: `a symbolic link to ${quoteText(target)}`,
      };
    }
    return {
      path,
      reason: 'excluded',
      detail: `a symbolic link to ${quoteText(inside)}, which is indexed once`,
    };
  }

  #getReader(): BlobReader {
    if (!this.#blobs?.isUsable) this.#blobs = new BlobReader(this.root);
    return this.#blobs;
  }
}

const SYMBOLIC_LINK = '120000';
