/** Imports a snapshot from parts that another machine exported. */

import { assertPresent } from '../../shared/assert-present.ts';
import { sharedIndexError } from '../../shared/shared-index.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { getHistoryReader } from '../history/read-commits.ts';
import { isSourcePath } from '../languages/index.ts';
import type { AttributeRule } from '../source/attributes.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import { Store } from '../store/store.ts';
import { decodeCommits } from './commit-part.ts';
import { decodeEdges, type PortableAddress } from './edge-part.ts';
import { decodeEmbeddings } from './embedding-part.ts';
import { decodeFiles } from './file-part.ts';

/** Files of a group, with their numbers of lines and the ids of their chunks in order of position. */
type GroupChunks = { path: string; lines: number; ids: number[] }[];

/** Sizes of a snapshot, as signed by its publisher. */
export interface SnapshotCounts {
  /** Files that have chunks. */
  files: number;
  chunks: number;
  edges: number;
}

/** Maximum number of commits. `exportSnapshot` writes fewer. */
const MAX_COMMITS = 100_000;

/** Snapshot as described by its publisher. */
export interface PublishedSnapshot extends SnapshotCounts {
  commit: string;
  /** Rules of `.gitattributes` that decide the roles of files. */
  attributes: readonly AttributeRule[];
}

/** Index that imports a snapshot. */
export interface ImportOptions {
  /** Folder of the index. */
  directory: string;
  /** Commit whose snapshot is filled; null for the working tree. */
  revision: string | null;
  signal?: AbortSignal | undefined;
  /** Called if another process holds the lock for a long time. */
  onWait?: ((writer: number | null) => void) | undefined;
}

/**
 * Calls `fill` with the snapshot to fill, then marks it complete. Holds the writer lock meanwhile.
 * @throws LocusError `bad-objects`, `busy`, `cancelled`. Parts stored before are valid, and the next run uses them.
 */
export async function importSnapshot(
  { directory, revision, signal, onWait }: ImportOptions,
  published: PublishedSnapshot,
  fill: (target: SnapshotImport) => Promise<void>,
): Promise<void> {
  const store = new Store(directory);
  try {
    await store.lock.hold(
      async () => {
        const target = new SnapshotImport(store, store.snapshots.open(revision), published);
        await fill(target);
        target.finish(published.commit, published.attributes);
      },
      undefined,
      signal,
      onWait,
    );
  } finally {
    store.close();
  }
}

/**
 * Fills a snapshot with parts: files first, group by group, then the rest, then `finish`. Each call is a transaction. Until
 * `finish`, the graph counts as unresolved, so if the import stops early, the next indexing run continues with the stored parts.
 * Call while holding the writer lock. Methods throw LocusError `bad-objects` for invalid parts.
 */
export class SnapshotImport {
  readonly #store: Store;
  readonly #snapshotId: number;
  readonly #groups: GroupChunks[] = [];
  readonly #chunkIds = new Map<string, number>();
  readonly #paths = new Set<string>();
  readonly #previousVersions: Map<string, number>;
  readonly #commits: number[] = [];
  readonly #expected: SnapshotCounts;
  readonly #found: SnapshotCounts = { files: 0, chunks: 0, edges: 0 };
  #commitsFound = 0;

  constructor(store: Store, snapshotId: number, counts: SnapshotCounts) {
    this.#store = store;
    this.#expected = counts;
    this.#snapshotId = snapshotId;
    this.#previousVersions = new Map(
      store.snapshots.getFiles(snapshotId).map(({ path, versionId }) => [path, versionId]),
    );
  }

  /** Stores the files of the next group. Files that are already stored are reused. */
  putFiles(bytes: Buffer): void {
    const { versions, snapshots } = this.#store;
    const files = decodeFiles(bytes);
    const counts = files.map(({ path, count }) => (isSourcePath(path) ? count : 0));
    this.#addFound({
      files: counts.filter((count) => count > 0).length,
      chunks: counts.reduce((sum, count) => sum + count, 0),
    });
    this.#store.transaction(() => {
      const put = files.map((file) => {
        if (this.#paths.has(file.path)) throw sharedIndexError(`${file.path} occurs twice`);
        this.#paths.add(file.path);
        const { path, hash, parser } = file;
        return { path, versionId: versions.find(path, hash, parser) ?? versions.add(file).id };
      });
      const changed = put.filter(
        ({ path, versionId }) => this.#previousVersions.get(path) !== versionId,
      );
      this.#removeChunkData(changed.map(({ path }) => path));
      snapshots.changeFiles(this.#snapshotId, changed, []);
      snapshots.markDirty(this.#snapshotId);
      this.#groups.push(put.map((file) => this.#registerFile(file)));
    });
  }

  putEmbeddings(group: number, model: EmbeddingModel, bytes: Buffer): void {
    const ids = this.#getGroup(group).flatMap((file) => file.ids);
    const made = decodeEmbeddings(bytes, model, ids.length).map((embedding, i) => ({
      chunkId: assertPresent(ids[i], 'a chunk of the group'),
      ...embedding,
    }));
    this.#store.transaction(() => this.#store.embeddings.adopt(this.#snapshotId, model, made));
  }

  putEdges(group: number, bytes: Buffer): void {
    const files = decodeEdges(bytes);
    const chunks = this.#getGroup(group);
    if (files.length !== chunks.length || files.some(({ path }, i) => path !== chunks[i]?.path))
      throw sharedIndexError('the calls do not match the files');
    const edges = files.flatMap(({ path, edges: some }, i) =>
      some.map(({ position, callee, ...edge }): ResolvedEdge => {
        const caller = chunks[i]?.ids[position];
        if (caller === undefined)
          throw sharedIndexError(`a call in ${path} is not inside a function`);
        if (edge.sites.some(({ line }) => line > (chunks[i]?.lines ?? 0)))
          throw sharedIndexError(`a call in ${path} is beyond the end of the file`);
        return { ...edge, caller, callee: this.#findChunkId(callee) };
      }),
    );
    this.#addFound({ edges: edges.length });
    const { edges: stored, graphNotes } = this.#store;
    const notes = new Map(files.map(({ path, note }) => [path, note]));
    this.#store.transaction(() => {
      stored.replace(
        this.#snapshotId,
        chunks.flatMap(({ ids }) => ids),
        edges,
      );
      graphNotes.put(this.#snapshotId, notes);
    });
  }

  /** Stores the next commits, newest first. */
  putCommits(bytes: Buffer): void {
    const { history } = this.#store;
    const commits = decodeCommits(bytes);
    this.#commitsFound += commits.length;
    if (this.#commitsFound > MAX_COMMITS) throw sharedIndexError('it has too many commits');
    this.#store.transaction(() => {
      for (const { id, useful } of history.put(commits, getHistoryReader()).values())
        if (useful) this.#commits.push(id);
    });
  }

  /** Removes other files and marks the snapshot complete. `commit` is the commit of the published snapshot. */
  finish(commit: string, attributes: readonly AttributeRule[]): void {
    const { files, chunks, edges: calls } = this.#expected;
    const found = this.#found;
    if (found.files !== files || found.chunks !== chunks || found.edges !== calls)
      throw sharedIndexError('it has fewer files, functions or calls than its manifest says');
    const { snapshots, history, edges } = this.#store;
    const id = this.#snapshotId;
    const others = [...this.#previousVersions.keys()].filter((path) => !this.#paths.has(path));
    this.#store.transaction(() => {
      this.#removeChunkData(others);
      snapshots.changeFiles(id, [], others);
      edges.removeStrays(id);
      snapshots.setAttributes(id, attributes);
      if (this.#commits.length > 0)
        history.link(id, `${commit} ${getHistoryReader()}`, this.#commits);
      snapshots.markResolved(id);
      snapshots.markComplete(id);
    });
  }

  /** Adds to the numbers of imported items. Throws before anything is stored if they exceed those of the manifest. */
  #addFound(more: Partial<SnapshotCounts>): void {
    for (const what of ['files', 'chunks', 'edges'] as const) {
      this.#found[what] += more[what] ?? 0;
      if (this.#found[what] > this.#expected[what])
        throw sharedIndexError('it has more files, functions or calls than its manifest says');
    }
  }

  #getGroup(group: number): GroupChunks {
    const chunks = this.#groups[group];
    if (!chunks) throw sharedIndexError('a group has no files');
    return chunks;
  }

  #registerFile({ path, versionId }: { path: string; versionId: number }): GroupChunks[number] {
    const rows = this.#store.versions.getChunks(versionId).filter(({ kind }) => kind !== 'section');
    for (const { id, qualifiedName, ordinal } of rows)
      this.#chunkIds.set([path, qualifiedName, ordinal].join('\0'), id);
    const { lines } = this.#store.versions.getInfo(versionId);
    return { path, lines, ids: rows.map(({ id }) => id) };
  }

  #findChunkId(address: PortableAddress): number {
    const id = this.#chunkIds.get(address.join('\0'));
    if (id === undefined)
      throw sharedIndexError(`a call has a target in ${address[0]} that does not exist`);
    return id;
  }

  /** Removes the stored edges and embedding links of the chunks that these paths had before. */
  #removeChunkData(paths: readonly string[]): void {
    const { versions, edges, embeddings } = this.#store;
    const ids = paths.flatMap((path) => {
      const versionId = this.#previousVersions.get(path);
      return versionId === undefined ? [] : versions.getChunks(versionId).map(({ id }) => id);
    });
    if (ids.length === 0) return;
    edges.replace(this.#snapshotId, ids, []);
    embeddings.unlink(this.#snapshotId, ids);
  }
}
