import { posix } from 'node:path';
import type { SkippedFile } from '../../shared/types.ts';
import { BlobReader } from './blob-reader.ts';
import { byPath, CandidateList } from './candidates.ts';
import type { Exclusion } from './exclusion.ts';
import { sourceContent } from './folder-tree.ts';
import { git, splitAtNul } from './git.ts';
import { tooLarge } from './limits.ts';
import { mapWindow } from './map-window.ts';
import type { SourceContent, SourceEntry, SourceListing, SourceTree } from './types.ts';

/** Blobs asked for ahead of the consumer; their ids fit into the pipe to git many times over. */
const READ_AHEAD = 64;

/** One commit, or a folder of it, straight from git's object store. */
export class CommitTree implements SourceTree {
  readonly root: string;
  readonly revision: string;
  /** What git lists: the commit's id, or that of a folder's tree in it. */
  readonly #treeish: string;
  readonly #excludes: Exclusion;
  #blobs: BlobReader | null = null;

  constructor(root: string, revision: string, treeish: string, excludes: Exclusion) {
    this.root = root;
    this.revision = revision;
    this.#treeish = treeish;
    this.#excludes = excludes;
  }

  async head(): Promise<string> {
    return this.revision;
  }

  async list(
    accepts: (path: string) => boolean,
    only?: ReadonlySet<string>,
  ): Promise<SourceListing> {
    const candidates = new CandidateList(accepts, this.#excludes);
    const entries: SourceEntry[] = [];
    const output = await git(this.root, 'ls-tree', '-r', '-z', '-l', '--full-tree', this.#treeish);
    for (const line of splitAtNul(output)) {
      const tab = line.indexOf('\t');
      const name = line.subarray(tab + 1);
      if (only && !only.has(name.toString('utf8'))) continue;
      const [mode, type, hash, size] = line.toString('latin1', 0, tab).split(/ +/) as [
        string,
        string,
        string,
        string,
      ];
      if (type === 'commit') {
        candidates.submodule(name, 'a submodule; open it by itself to search it');
        continue;
      }
      const path = candidates.file(name);
      if (path === null) continue;
      const skipped =
        mode === SYMBOLIC_LINK ? await this.#examineLink(path, hash) : tooLarge(path, Number(size));
      if (skipped) candidates.skip(skipped);
      else entries.push({ path, hash, size: Number(size) });
    }
    const { skipped, submodules } = candidates;
    return {
      entries: entries.sort(byPath),
      skipped: skipped.sort(byPath),
      submodules: submodules.sort(),
    };
  }

  read(entries: readonly SourceEntry[]): AsyncIterable<SourceContent> {
    return mapWindow(entries, READ_AHEAD, async ({ path, hash }) => {
      const bytes = hash && (await this.#reader().read(hash));
      if (hash && bytes) return sourceContent(path, hash, bytes);
      const detail = 'this repository does not hold its content (a partial clone?)';
      return { path, skipped: { path, reason: 'unreadable', detail } };
    });
  }

  async close(): Promise<void> {
    this.#blobs?.close();
  }

  /** A link's blob is its target's path. */
  async #examineLink(path: string, hash: string): Promise<SkippedFile> {
    const target = (await this.#reader().read(hash))?.toString('utf8') ?? '';
    const inside = posix.join(posix.dirname(path), target);
    if (posix.isAbsolute(target) || inside === '..' || inside.startsWith('../')) {
      return { path, reason: 'outside the root', detail: `a symbolic link to ${target}` };
    }
    return { path, reason: 'excluded', detail: `a symbolic link to ${inside}, which counts once` };
  }

  #reader(): BlobReader {
    this.#blobs ??= new BlobReader(this.root);
    return this.#blobs;
  }
}

const SYMBOLIC_LINK = '120000';
