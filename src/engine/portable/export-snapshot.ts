/** Exports a snapshot as parts that another machine can import. */

import { hash } from 'node:crypto';
import { assertPresent } from '../../shared/assert-present.ts';
import { LocusError } from '../../shared/errors.ts';
import { getHistoryReader } from '../history/read-commits.ts';
import { listCommits } from '../history/read-history.ts';
import type { Commit } from '../history/types.ts';
import type { AttributeRule } from '../source/attributes.ts';
import type { ChunkRecord } from '../store/file-versions.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import type { SnapshotFile } from '../store/snapshots.ts';
import { Store } from '../store/store.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import { encodeCommits } from './commit-part.ts';
import { encodeEdges, type FileEdges, type PortableAddress } from './edge-part.ts';
import { encodeEmbeddings } from './embedding-part.ts';
import { encodeFiles } from './file-part.ts';
import type { SnapshotCounts } from './import-snapshot.ts';

interface SplitOptions<T> {
  /** Returns the name of an item, which identifies it in other versions of the list. */
  getName: (item: T) => string;
  /** Returns the weight of an item. A piece ends when its weight exceeds `most`. */
  getWeight: (item: T) => number;
  maxWeight: number;
  /** Mean number of items in a piece. */
  meanItems: number;
}

/**
 * Splits a list after items that are chosen by the digests of their names. This is content-defined chunking of items instead of
 * bytes (Muthitacharoen, Chen, Mazières: A Low-bandwidth Network File System, 2001). Adding or removing an item changes only the
 * piece that contains it, and sometimes the next one.
 */
function* splitByContent<T>(
  items: Iterable<T>,
  { getName, getWeight, maxWeight, meanItems }: SplitOptions<T>,
): Generator<T[]> {
  let piece: T[] = [];
  let weight = 0;
  for (const item of items) {
    piece.push(item);
    weight += getWeight(item);
    const digest = hash('sha256', getName(item), 'buffer').readUInt32LE(0);
    if (digest % meanItems !== 0 && weight <= maxWeight) continue;
    yield piece;
    piece = [];
    weight = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Mean number of files in a group: small enough that a commit changes few bytes, large enough that there are few parts. */
const MEAN_FILES = 32;
/** Maximum number of lines in a group, which keeps parts far below `MAX_PART_BYTES`. Long lines count as several. */
const MAX_LINES = 100_000;
const LINE_LENGTH = 100;
const MEAN_COMMITS = 1000;
const MAX_COMMITS = 4 * MEAN_COMMITS;
/** Maximum number of commits to look at, as in `pipeline/history-stage.ts`. No store has more. */
const MAX_LOOKED_AT = 20_000;

/** Uncompressed part. The parts of a group follow each other, in this order. */
export type ExportedPart =
  | { kind: 'files' | 'edges'; group: number; bytes: Buffer }
  | { kind: 'embeddings'; group: number; model: EmbeddingModel; bytes: Buffer }
  | { kind: 'commits'; bytes: Buffer };

/** Commit to export, with a complete index. */
export interface ExportOptions {
  /** Folder of the index. */
  directory: string;
  /** Folder of the repository, for the order of its commits. */
  root: string;
  commit: string;
  signal?: AbortSignal | undefined;
}

/** Complete snapshot, ready to be published. */
export interface SnapshotExport extends SnapshotCounts {
  /** Models for which it has embeddings. */
  models: EmbeddingModel[];
  /** Rules of `.gitattributes` that decide the roles of files. */
  attributes: AttributeRule[];
  /** Yields all parts, the same for the same index on any machine. */
  parts: AsyncGenerator<ExportedPart>;
}

/**
 * Calls `use` with the snapshot of a commit, while no other process can write the index.
 * @throws LocusError `bad-repository` if the index is incomplete; `busy`, `cancelled`.
 */
export async function exportSnapshot<T>(
  { directory, root, commit, signal }: ExportOptions,
  use: (snapshot: SnapshotExport) => Promise<T>,
): Promise<T> {
  const store = new Store(directory);
  try {
    return await store.lock.hold(
      async () => {
        const snapshotId = store.snapshots.open(commit);
        const counts = countSnapshot(store, snapshotId, commit);
        const models = store.embeddings.getCompleteModels(snapshotId, counts.chunks);
        return use({
          ...counts,
          models,
          attributes: store.snapshots.getAttributes(snapshotId),
          parts: exportParts(store, snapshotId, { root, commit, models, signal }),
        });
      },
      undefined,
      signal,
    );
  } finally {
    store.close();
  }
}

function countSnapshot(store: Store, snapshotId: number, commit: string): SnapshotCounts {
  if (!store.snapshots.getState(snapshotId).complete) {
    throw new LocusError(
      'bad-repository',
      `The index of ${commit} is not complete.`,
      `Run locus index --at ${commit} first.`,
    );
  }
  let [files, chunks, edges] = [0, 0, 0];
  for (const { versionId } of store.snapshots.getFiles(snapshotId)) {
    const inFile = listEncodedChunks(store, versionId).length;
    chunks += inFile;
    // Files without code are not counted elsewhere either.
    if (inFile > 0) files++;
  }
  for (const _ of store.edges.readAll(snapshotId)) edges++;
  return { files, chunks, edges };
}

type PartOptions = Pick<ExportOptions, 'root' | 'commit' | 'signal'> & {
  models: readonly EmbeddingModel[];
};

async function* exportParts(
  store: Store,
  snapshotId: number,
  options: PartOptions,
): AsyncGenerator<ExportedPart> {
  const files = store.snapshots.getFiles(snapshotId);
  const graph = new PortableGraph(store, snapshotId, files);
  const lines = ({ versionId }: SnapshotFile) =>
    Math.max(
      store.versions.getInfo(versionId).lines,
      store.versions.getContent(versionId).length / LINE_LENGTH,
    );
  const groups = splitByContent(files, {
    getName: ({ path }) => path,
    getWeight: lines,
    maxWeight: MAX_LINES,
    meanItems: MEAN_FILES,
  });
  let group = 0;
  for (const some of groups) {
    yield {
      kind: 'files',
      group,
      bytes: encodeFiles(
        store,
        some.map((file) => file.versionId),
      ),
    };
    yield {
      kind: 'edges',
      group,
      bytes: encodeEdges(some.map((file) => graph.getFileEdges(file))),
    };
    for (const model of options.models) {
      const bytes = encodeEmbeddings(
        some.flatMap((file) => readEmbeddings(store, snapshotId, model, file)),
      );
      yield { kind: 'embeddings', group, model, bytes };
    }
    group++;
  }
  const commits = await listSnapshotCommits(store, snapshotId, options);
  const pieces = splitByContent(commits, {
    getName: ({ hash }) => hash,
    getWeight: () => 1,
    maxWeight: MAX_COMMITS,
    meanItems: MEAN_COMMITS,
  });
  for (const piece of pieces) yield { kind: 'commits', bytes: encodeCommits(piece) };
}

/** Call graph of a snapshot, by addresses instead of ids. */
class PortableGraph {
  readonly #store: Store;
  readonly #snapshotId: number;
  readonly #addresses = new Map<number, PortableAddress>();
  readonly #notes: Map<string, string>;

  constructor(store: Store, snapshotId: number, files: readonly SnapshotFile[]) {
    this.#store = store;
    this.#snapshotId = snapshotId;
    this.#notes = store.graphNotes.getByPath(snapshotId);
    for (const { path, versionId } of files)
      for (const { id, qualifiedName, ordinal } of store.versions.getChunks(versionId))
        this.#addresses.set(id, [path, qualifiedName, ordinal]);
  }

  getFileEdges({ path, versionId }: SnapshotFile): FileEdges {
    const edges = this.#store.versions.getChunks(versionId).flatMap(({ id, position }) =>
      this.#store.edges.getCallees(this.#snapshotId, id).map(({ caller: _, callee, ...edge }) => ({
        position,
        callee: assertPresent(this.#addresses.get(callee), 'a callee of the snapshot'),
        ...edge,
      })),
    );
    return { path, note: this.#notes.get(path) ?? null, edges };
  }
}

function readEmbeddings(
  store: Store,
  snapshotId: number,
  model: EmbeddingModel,
  { versionId }: SnapshotFile,
): { key: Buffer; vector: QuantizedVector }[] {
  const chunks = listEncodedChunks(store, versionId);
  const [first] = chunks;
  if (!first) return [];
  // The ids of a file's chunks are contiguous.
  const { places } = store.embeddings.getPage(snapshotId, model, first.id - 1, chunks.length);
  const byChunk = new Map(places.map((place) => [place.chunkId, place]));
  return chunks.map(({ id }) =>
    assertPresent(byChunk.get(id), 'an embedding of a complete snapshot'),
  );
}

/** Returns the chunks of a version that have embeddings: all of a file with code, none of another. */
function listEncodedChunks(store: Store, versionId: number): ChunkRecord[] {
  return store.versions.getChunks(versionId).filter(({ kind }) => kind !== 'section');
}

/** Returns the commits that the snapshot is linked to, and commits without edits between them, newest first. */
async function listSnapshotCommits(
  store: Store,
  snapshotId: number,
  { root, commit, signal }: PartOptions,
): Promise<Commit[]> {
  if (!store.history.getLinkedState(snapshotId)) return [];
  const linked = new Map<string, Commit>();
  for (const one of store.history.readAll(snapshotId)) linked.set(one.hash, one);
  const looked = await listCommits(root, commit, MAX_LOOKED_AT, signal);
  return looked.flatMap((hash) => {
    const found = linked.get(hash);
    if (found) return found;
    const known = store.history.find(hash, getHistoryReader());
    return known && !known.useful ? { hash, time: 0, message: '', edits: [] } : [];
  });
}
