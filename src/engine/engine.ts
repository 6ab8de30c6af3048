import { basename, resolve } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import {
  anchorsRequest,
  neighborsRequest,
  type Repository,
  searchRequest,
  type WatchUpdate,
} from '../shared/protocol.ts';
import type {
  AnchorMatches,
  ChunkDetail,
  ChunkKind,
  ChunkSummary,
  FileDetail,
  IndexReport,
  Neighborhood,
  PartialRanking,
  RepositoryStatus,
  SearchResponse,
  SkippedFile,
} from '../shared/types.ts';
import { createEncoder } from './encode/encoder.ts';
import { loadManifest, type Manifest } from './encode/manifest.ts';
import type { Device, Encoder } from './encode/types.ts';
import { createResolver } from './graph/resolver.ts';
import { modelKey } from './index/encode-stage.ts';
import { Indexer, type IndexRunOptions } from './index/indexer.ts';
import { RepositoryIndex } from './index/repository-index.ts';
import { findChunk } from './inspect/address.ts';
import { matchAnchors } from './inspect/anchors.ts';
import { chunkDetail } from './inspect/detail.ts';
import { fileDetail } from './inspect/file.ts';
import { findByName } from './inspect/find.ts';
import { neighborhood } from './inspect/neighborhood.ts';
import { accepts, parserOf } from './languages/index.ts';
import { modelFolder } from './models.ts';
import { ParserPool } from './parse/pool.ts';
import { openTree } from './scan/open.ts';
import type { SourceTree } from './scan/types.ts';
import { watchTree } from './scan/watch.ts';
import { encodeIssue } from './search/query-vectors.ts';
import { rankerName, search } from './search/search.ts';
import { dataDirectory, repositoryDirectory } from './store/location.ts';
import { Store } from './store/store.ts';

export { DEFAULT_MODEL, MODELS_FOLDER } from './models.ts';

export interface OpenOptions {
  /** A commit, branch or tag to index from git's object store; the working tree when left out. */
  revision?: string;
  /** Where indexes live; see `dataDirectory`. */
  dataDir?: string;
  /** A model's id, or the path of a model's folder; by default the one in the settings. See `modelFolder`. */
  model?: string;
  modelsFolder?: string;
  device?: Device;
  /** Gitignore-style patterns of files to leave out. */
  exclude?: string[];
  /** How many indexed commits of a repository stay in the store; 8 when left out. */
  commitsKept?: number;
}

/**
 * Opens a repository, any folder, or one commit; what was indexed of it before can be searched at once.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`, saying what to do about it.
 */
export async function openRepository(root: string, options: OpenOptions = {}): Promise<Repository> {
  const folder = await modelFolder(options);
  const manifest = await loadManifest(folder);
  const tree = await openTree(resolve(root), {
    revision: options.revision,
    exclude: options.exclude,
  });
  try {
    const store = new Store(
      repositoryDirectory(dataDirectory(options.dataDir), tree.root),
      options.commitsKept,
    );
    const encoder = createEncoder({ modelFolder: folder, device: options.device ?? 'auto' });
    encoder.catch(() => {}); // Whoever awaits the encoder first is told; until then nobody has to listen.
    return new OpenedRepository(tree, store, manifest, encoder, options);
  } catch (error) {
    await tree.close();
    throw error;
  }
}

class OpenedRepository implements Repository {
  readonly #tree: SourceTree;
  readonly #store: Store;
  readonly #manifest: Manifest;
  readonly #encoder: Promise<Encoder>;
  readonly #pool = new ParserPool();
  readonly #snapshotId: number;
  readonly #indexer: Indexer;
  readonly #exclude: string[];
  #index: RepositoryIndex;
  /** Indexing runs and updates of this process, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(
    tree: SourceTree,
    store: Store,
    manifest: Manifest,
    encoder: Promise<Encoder>,
    options: OpenOptions,
  ) {
    this.#tree = tree;
    this.#store = store;
    this.#manifest = manifest;
    this.#encoder = encoder;
    this.#exclude = options.exclude ?? [];
    this.#snapshotId = store.snapshots.open(tree.revision);
    this.#index = this.#load();
    this.#indexer = new Indexer({
      store,
      snapshotId: this.#snapshotId,
      tree,
      accepts,
      parserOf,
      pool: this.#pool,
      encoder,
      newResolver: createResolver,
    });
  }

  index(options: IndexRunOptions = {}): Promise<IndexReport> {
    return this.#exclusively(options.signal, async () => {
      const {
        changed: _changed,
        removed: _removed,
        ...report
      } = await this.#indexer.run(this.#index, options);
      return report;
    });
  }

  async watch(options: Parameters<Repository['watch']>[0]): Promise<void> {
    if (this.#tree.revision !== null) {
      throw new LocusError(
        'bad-input',
        'a commit never changes, so there is nothing to watch',
        'leave out --at',
      );
    }
    const { signal, onUpdate = () => {}, onError = () => {} } = options;
    await watchTree(this.#tree.root, {
      exclude: this.#exclude,
      accepts,
      signal,
      onError,
      // Only now can no change fall between the listing of the tree and the first event.
      onReady: () => {
        this.#catchUp(signal).catch(reportUnlessAborted);
      },
      onChange: (batch) => {
        this.#applyBatch(batch, signal).then(onUpdate, reportUnlessAborted);
      },
    });

    function reportUnlessAborted(error: Error): void {
      if (!signal.aborted) onError(error);
    }
  }

  /** Brings the index up to date and loads what updates need, so that the first edit does not wait for it. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    await this.index({ signal });
    await this.#exclusively(signal, () => this.#indexer.prepareUpdates(this.#index, signal));
  }

  async search(request: Parameters<Repository['search']>[0]): Promise<SearchResponse> {
    const start = performance.now();
    const parsed = checked(searchRequest, request);
    const index = this.#index;
    const encoder = await this.#encoder;
    const queryVectors = index.vectors.size > 0 ? await encodeIssue(encoder, parsed.issue) : null;
    const { issue, considered, confidence, results } = search(index, queryVectors, parsed);
    const partial = this.#partial();
    const { id, version } = this.#manifest;
    return {
      repository: this.#describe(),
      issue,
      model: { id, version, device: encoder.device, ranker: rankerName },
      partial,
      considered,
      confidence: partial ? null : confidence,
      tookMs: performance.now() - start,
      results,
    };
  }

  async show(chunk: string): Promise<ChunkDetail> {
    const encoder = await this.#encoder;
    // Not before the encoder is there: an edit may take the slot's chunk away while one waits.
    const slot = findChunk(this.#index, chunk);
    return chunkDetail(this.#index, this.#store, this.#snapshotId, encoder, slot);
  }

  async file(path: string): Promise<FileDetail> {
    return fileDetail(this.#index, this.#store, path);
  }

  async neighbors(request: Parameters<Repository['neighbors']>[0]): Promise<Neighborhood> {
    const options = checked(neighborsRequest, request);
    const slot = findChunk(this.#index, options.chunk);
    return neighborhood(this.#index, this.#store, this.#snapshotId, slot, options);
  }

  async resolveAnchors(
    anchors: Parameters<Repository['resolveAnchors']>[0],
  ): Promise<AnchorMatches[]> {
    return matchAnchors(
      this.#index,
      this.#store,
      this.#snapshotId,
      checked(anchorsRequest, anchors),
    );
  }

  async find(name: string, limit: number): Promise<ChunkSummary[]> {
    return findByName(this.#index, name, limit);
  }

  async status(): Promise<RepositoryStatus> {
    const state = this.#store.snapshots.state(this.#snapshotId);
    const skipped = Object.groupBy(
      this.#store.snapshots.skipped(this.#snapshotId),
      (file) => file.reason,
    );
    const { id, version } = this.#manifest;
    return {
      ...this.#describe(),
      chunksByKind: this.#countKinds(),
      edges: this.#index.edgeCount,
      guessedEdges: this.#index.guessedEdgeCount,
      embedded: this.#index.vectors.size,
      filesWithErrors: this.#store.snapshots.filesWithErrors(this.#snapshotId),
      skipped: Object.fromEntries(
        Object.entries(skipped).map(([reason, files]) => [reason, files.length]),
      ),
      model: { id, version },
      databasePath: this.#store.path,
      databaseBytes: this.#store.bytes,
      state: state.complete ? 'complete' : this.#index.live > 0 ? 'partial' : 'empty',
      indexedAt: state.indexedAt,
    };
  }

  async skipped(): Promise<SkippedFile[]> {
    return this.#store.snapshots.skipped(this.#snapshotId);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#queue]);
    await Promise.all([
      this.#pool.close(),
      this.#tree.close(),
      this.#encoder.then(
        (encoder) => encoder.close(),
        () => {},
      ),
    ]);
    this.#store.close();
  }

  #load(): RepositoryIndex {
    const { id, version, dimensions } = this.#manifest;
    return RepositoryIndex.load(this.#store, this.#snapshotId, modelKey(id, version), dimensions);
  }

  /** Runs work that writes: one at a time in this process, one process at a time, on what is in the store now. */
  #exclusively<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() =>
      this.#store.lock.hold(
        async () => {
          if (this.#store.changedElsewhere()) this.#index = this.#load();
          this.#running++;
          try {
            return await work();
          } finally {
            this.#running--;
          }
        },
        undefined,
        signal,
      ),
    );
    this.#queue = result.catch(() => {});
    return result;
  }

  async #applyBatch(
    batch: { paths: ReadonlySet<string>; rescan: boolean },
    signal: AbortSignal,
  ): Promise<WatchUpdate> {
    const seen = performance.now();
    return this.#exclusively(signal, async () => {
      if (batch.rescan) {
        const { changed, removed, chunksEncoded } = await this.#indexer.run(this.#index, {
          signal,
        });
        const totalMs = performance.now() - seen;
        return { changed, removed, chunksEncoded, searchableMs: totalMs, totalMs };
      }
      let searchableMs = 0;
      const done = await this.#indexer.update(this.#index, batch.paths, signal, () => {
        searchableMs = performance.now() - seen;
      });
      return { ...done, searchableMs, totalMs: performance.now() - seen };
    });
  }

  #describe(): SearchResponse['repository'] {
    const { root, revision } = this.#tree;
    return {
      root,
      name: basename(root),
      revision,
      files: this.#index.fileCount,
      chunks: this.#index.live,
    };
  }

  #partial(): PartialRanking | null {
    const embedded = this.#index.vectors.size;
    const { live } = this.#index;
    const complete = this.#store.snapshots.state(this.#snapshotId).complete;
    if (complete && embedded === live) return null;
    const reason =
      live === 0
        ? 'nothing is indexed yet'
        : embedded < live
          ? 'not every function has an embedding yet: the other signals rank'
          : this.#running > 0
            ? 'indexing is under way'
            : 'the last indexing run did not finish';
    return { reason, chunks: live, embedded };
  }

  #countKinds(): Record<ChunkKind, number> {
    const counts: Record<ChunkKind, number> = { function: 0, method: 0, class: 0, module: 0 };
    for (const chunk of this.#index.chunks) if (chunk) counts[chunk.kind]++;
    return counts;
  }
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** @throws LocusError `bad-input` that names the field. */
function checked<T>(schema: Schema<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue.path.join('.') || 'the request';
  throw new LocusError('bad-input', `${field}: ${issue.message}`, 'correct it and try again');
}
