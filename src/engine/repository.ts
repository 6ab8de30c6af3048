import { basename, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../base/cancel.ts';
import { DamagedIndex } from '../base/damage.ts';
import { realFolder } from '../base/folders.ts';
import { ignoring, log } from '../base/log.ts';
import { explainMemory } from '../base/memory.ts';
import { PhaseMeter } from '../base/progress.ts';
import { SEARCHES } from '../base/right-of-way.ts';
import type { ChunkKind } from '../shared/chunk.ts';
import type { Device } from '../shared/devices.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { getOrAdd } from '../shared/get-or-add.ts';
import { grouped } from '../shared/grouped.ts';
import type {
  FollowingHealth,
  IndexProgress,
  IndexReport,
  ReadingReport,
  RepositoryStatus,
} from '../shared/indexing.ts';
import { MOST_READ_IN_ADVANCE } from '../shared/limits.ts';
import type { QueryName, ResponseOf, ValidRequestOf } from '../shared/queries.ts';
import type {
  QueryMethods,
  Repository,
  RepositoryLifetime,
  SearchOptions,
} from '../shared/repository.ts';
import type { PartialRanking, Refinement, SearchResponse } from '../shared/search.ts';
import { IDLE_MS, isLoss } from './encode/encoder.ts';
import { describeUndigested, loadManifest, type Manifest, modelKey } from './encode/manifest.ts';
import { sharedEncoder } from './encode/shared-encoder.ts';
import type { Encoder, EncoderDocument } from './encode/types.ts';
import { freeMemory } from './event-loop/free-memory.ts';
import { createResolver } from './graph/resolver.ts';
import { guard } from './guard.ts';
import { matchAnchors } from './inspect/anchors.ts';
import { chunkDetail, fileDetail, indexedFile } from './inspect/detail.ts';
import { findByName } from './inspect/find.ts';
import { neighborhood } from './inspect/neighborhood.ts';
import { testsThatReach } from './inspect/reaching-tests.ts';
import { referencesTo } from './inspect/references.ts';
import { similarChunks } from './inspect/similar.ts';
import { type Issue, readOnce } from './issue/issue.ts';
import { indexes, issueSyntaxes, languageOf, parserOf } from './languages/index.ts';
import { Nearest } from './nearest/nearest.ts';
import { acquirePool } from './parse/shared-pool.ts';
import { Following } from './pipeline/following.ts';
import { Indexer, type IndexRunOptions } from './pipeline/indexer.ts';
import { SteadyFollowing } from './pipeline/steady-following.ts';
import { explain } from './search/explain/explain.ts';
import { meanwhile } from './search/gather/issue.ts';
import { followLinks } from './search/gather/links.ts';
import { encodeIssue } from './search/gather/query.ts';
import type { SearchOutcome } from './search/rank/ranking.ts';
import type { RerankerFolders } from './search/rerank/models.ts';
import { openRerankers, RerankStep } from './search/rerank/rerank.ts';
import { find } from './search/search.ts';
import { computeStanding, glance } from './search/workspace.ts';
import { findChunk } from './snapshot/address.ts';
import { encoderDocument } from './snapshot/encoder-document.ts';
import {
  LiveSnapshot,
  NOTHING_AHEAD,
  readOnlyError,
  type SnapshotAhead,
} from './snapshot/live-snapshot.ts';
import type { RepositoryIndex } from './snapshot/repository-index.ts';
import { readOnlyFileAhead } from './snapshot/snapshot-file.ts';
import { sourceFirst } from './snapshot/source-first.ts';
import { fileAt } from './source/commit-tree.ts';
import { findRootFailure } from './source/footing.ts';
import { HashMemory } from './source/hash-memory.ts';
import { openTree } from './source/open.ts';
import type { SourceTree } from './source/types.ts';
import { watchTree } from './source/watch.ts';
import { readRowsAhead } from './store/embedding-places.ts';
import { isReadOnly } from './store/read-only.ts';
import type { EmbeddingModel } from './store/row-format.ts';
import { indexPath, Store } from './store/store.ts';

export interface RepositoryOptions {
  /** Returns the folder of a repository's index. `root` is the repository's folder with links resolved. */
  indexFolder: (root: string) => string;
  modelFolder: string;
  readModelFolders?: RerankerFolders;
  /** Commit, branch or tag to index from git's object store; the working tree by default. */
  revision?: string;
  device?: Device;
  /** Gitignore-style patterns of files to exclude. */
  exclude?: string[];
  /** Folder outside of which nothing is read, not even of a repository inside it; null for no limit. */
  within?: string | null;
  signal?: AbortSignal;
  /** Number of indexed commits of a repository that stay in the store; 8 by default. */
  commitsKept?: number;
  /** True to write nothing. Queries use the existing index, and an index is not created. */
  readOnly?: boolean;
  /** Called once before the first indexing run, and may fill the snapshot. Its result is added to the run's notes. */
  prepare?: Prepare | undefined;
}

/** Index before its first indexing run. */
export interface Unprepared {
  root: string;
  /** Revision of the snapshot; null for the working tree. */
  revision: string | null;
  /** Commit of the snapshot, or the one that is checked out; null if there is none. */
  head: string | null;
  directory: string;
  model: { key: string; dimensions: number };
  /** True if an indexing run has finished before. */
  indexed: boolean;
  sourceBytes(signal?: AbortSignal): Promise<number>;
}

export type Prepare = (place: Unprepared, options: IndexRunOptions) => Promise<string[]>;

/**
 * Opens a repository, any folder, or one commit. If it was indexed before, it can be searched immediately. An index that is not
 * writable is opened as with `readOnly`: `index` then throws `read-only`, and everything else works.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`
 */
export async function openAt(root: string, options: RepositoryOptions): Promise<Repository> {
  const { modelFolder, readModelFolders = {}, device = 'auto', commitsKept } = options;
  const manifest = await loadManifest(modelFolder);
  // Started first: the model loads in another thread, while this one is busy with the tree and the index.
  const encoder = sharedEncoder({ modelFolder, manifest, device });
  encoder.catch(() => {}); // The first query that awaits the encoder reports the error.
  const opened: { close(): unknown }[] = [
    { close: () => encoder.then((made) => made.close()).catch(ignoring('load-encoder')) },
  ];
  try {
    const rerankStep = await openRerankStep(readModelFolders, device);
    // The index is prefetched while git inspects the folder. The index of a bare repository is in another folder.
    const likely = options.indexFolder(realFolder(root));
    const { id, version, dimensions } = manifest;
    const model = { key: modelKey(id, version), dimensions };
    const isFolder = options.revision === undefined;
    const ahead = isFolder ? readAhead(likely, model) : Promise.resolve(NOTHING_AHEAD);
    const opening = openTree(resolve(root), options);
    opening.catch(() => {}); // Awaited below.
    await nextTurn();
    const hashes = isFolder ? HashMemory.from(hashesIn(likely)) : null;
    const tree = await opening;
    opened.push(tree);
    const directory = options.indexFolder(tree.root);
    const readOnly = options.readOnly || isReadOnly(indexPath(directory));
    rerankStep.storeIn(directory, readOnly);
    const known = directory === likely ? hashes : null;
    tree.hashes?.adopt(known ?? HashMemory.from(hashesIn(directory)));
    const openStore = (revision: string | null) =>
      new Store(directory, commitsKept, readOnly ? { revision } : undefined);
    const stored = await openStored(tree.revision, model, openStore, ahead);
    const { store } = stored;
    opened.push(store);
    const undigested = describeUndigested(modelFolder, manifest);
    if (undigested !== null) store.notes.push(undigested);
    const models = { manifest, model, encoder, rerankStep };
    const repository = new OpenedRepository(tree, stored, models, options);
    return guard(repository, (error) => explainMemory(store.examine(error), FOR_REPOSITORY));
  } catch (error) {
    for (const one of opened.reverse()) await one.close();
    throw explainMemory(error, FOR_REPOSITORY);
  }
}

const FOR_REPOSITORY = 'for this repository';

async function openRerankStep(folders: RerankerFolders, device: Device): Promise<RerankStep> {
  try {
    return new RerankStep(await openRerankers(folders, device));
  } catch (error) {
    if (!(error instanceof LocusError)) throw error;
    return new RerankStep([], error.message);
  }
}

/** Milliseconds from the last change until the snapshot's file is written. */
const SAVE_AFTER = 20_000;
/** Milliseconds from the first query that a base index would speed up until one is loaded or built. Commands have ended by then. */
const LOOK_AFTER = 2_000;
/** Number of files changed at once above which building a base index is cancelled, since indexing needs the processors. */
const MANY_CHANGES = 50;

/** Documents encoded in the background between two checks for cancellation and searches: half a second on two cores. */
const READ_AT_ONCE = 32;
/** Maximum number of beginnings of callees that are cached during background embedding: 10 MB. */
const HEADS_KEPT = 10_000;

interface Models {
  manifest: Manifest;
  model: EmbeddingModel;
  encoder: Promise<Encoder>;
  rerankStep: RerankStep;
}

const hashesIn = (directory: string) => join(directory, 'hashes.columns');

/**
 * Reads the only snapshot in an index's folder in other threads. Resolves when everything except the embeddings is read; these
 * follow while the caller loads the rest.
 */
async function readAhead(folder: string, model: EmbeddingModel): Promise<SnapshotAhead> {
  const columns = await readOnlyFileAhead(folder);
  return { columns, rows: columns && readRowsAhead(folder, model) };
}

/** Opens the snapshot of a revision. Replaces a damaged store by a new one. */
async function openStored(
  revision: string | null,
  model: EmbeddingModel,
  openStore: (revision: string | null) => Store,
  ahead: Promise<SnapshotAhead>,
) {
  const open = async (notes: string[]) => {
    const store = openStore(revision);
    store.notes.push(...notes);
    try {
      const snapshot = new LiveSnapshot(store, revision, model, await ahead);
      await snapshot.arrived();
      return { store, snapshot };
    } catch (error) {
      const failure = store.examine(error);
      store.close();
      throw failure;
    }
  };
  try {
    return await open([]);
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    return open([error.message]);
  }
}

type Request<Name extends QueryName> = ValidRequestOf<Name>;
type Response<Name extends QueryName> = Promise<ResponseOf<Name>>;

class OpenedRepository implements QueryMethods, RepositoryLifetime {
  readonly #tree: SourceTree;
  readonly #store: Store;
  readonly #models: Models;
  readonly #parsers = acquirePool();
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #exclude: string[];
  readonly #nearest: Nearest;
  #prepare: Prepare | undefined;
  #first: Promise<unknown> | undefined;
  #saving: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** Ids of the chunks encoded in the background. They are not encoded again, even if their callees have changed. */
  #read: ReadonlySet<number> = new Set();
  #reading: PartialRanking['files'];

  constructor(
    tree: SourceTree,
    { store, snapshot }: Awaited<ReturnType<typeof openStored>>,
    models: Models,
    options: RepositoryOptions,
  ) {
    this.#tree = tree;
    this.#store = store;
    this.#models = models;
    this.#exclude = options.exclude ?? [];
    this.#prepare = options.prepare;
    this.#snapshot = snapshot;
    this.#nearest = new Nearest(store, models.model);
    this.#indexer = new Indexer({
      store,
      tree,
      accepts: indexes,
      parserOf,
      pool: this.#parsers.pool,
      encoder: models.encoder,
      newResolver: createResolver,
      searches: SEARCHES,
    });
  }

  get #index(): RepositoryIndex {
    return this.#snapshot.index;
  }

  index(options: IndexRunOptions = {}): Promise<IndexReport> {
    const prepare = this.#prepare;
    this.#prepare = undefined;
    if (!prepare || this.#store.readOnly) return this.#indexed(options);
    const report = this.#prepared(prepare, options);
    // The caller of this run gets the error.
    this.#first = report.catch(() => {});
    return report;
  }

  async #prepared(prepare: Prepare, options: IndexRunOptions): Promise<IndexReport> {
    const place: Unprepared = {
      root: this.#tree.root,
      revision: this.#tree.revision,
      head: await this.#tree.head(options.signal),
      directory: this.#store.directory,
      model: this.#models.model,
      indexed: this.#store.snapshots.state(this.#index.snapshotId).complete,
      sourceBytes: async (signal?: AbortSignal) => {
        const { entries } = await this.#tree.list(indexes, undefined, signal);
        return entries.reduce((sum, { size }) => sum + size, 0);
      },
    };
    const notes = await prepare(place, options);
    const report = await this.#indexed(options);
    return { ...report, notes: [...notes, ...report.notes] };
  }

  #indexed(options: IndexRunOptions): Promise<IndexReport> {
    const onProgress = (progress: IndexProgress) => {
      const { phase, done, total } = progress;
      this.#reading = phase === 'parse' && done < total ? { read: done, of: total } : undefined;
      options.onProgress?.(progress);
    };
    const run = async (index: RepositoryIndex) => {
      this.#nearest.cancel();
      const {
        changed: _changed,
        removed: _removed,
        ...report
      } = await this.#indexer.run(index, { ...options, onProgress });
      this.#saveSoon();
      const { files, chunks, seconds } = report;
      log('indexed', { repository: this.#tree.root, files, chunks, ms: 1000 * seconds.total });
      return report;
    };
    return this.#snapshot
      .exclusively(options.signal, run, undefined, options.onWait)
      .finally(() => {
        this.#reading = undefined;
      });
  }

  /**
   * Writes the snapshot's file after a while without changes, since the next change would make it outdated. Then also builds a
   * base index of the embeddings.
   */
  #saveSoon(): void {
    clearTimeout(this.#saving);
    const save = () => this.#save().then(() => this.#nearest.prepare(this.#index));
    this.#saving = setTimeout(save, SAVE_AFTER).unref();
    this.#restLater();
  }

  /** Frees the memory that only searches need after some minutes without a search. Models do the same. */
  #restLater(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      try {
        this.#snapshot.rest();
        freeMemory();
      } catch {
        // The next query reports a damaged index.
      }
    }, IDLE_MS).unref();
  }

  /** Saves what speeds up the next opening: the snapshot's file, and the hashes of the files. */
  async #save(): Promise<void> {
    await this.#snapshot.save().catch(ignoring('save-snapshot'));
    const { hashes } = this.#tree;
    if (hashes?.changed && !this.#store.readOnly)
      await hashes.write(hashesIn(this.#store.directory));
  }

  #lookSoon(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      if (!this.#snapshot.busy) void this.#nearest.prepare(this.#index);
    }, LOOK_AFTER).unref();
  }

  async watch(options: Parameters<Repository['watch']>[0]): Promise<void> {
    if (this.#tree.revision !== null) {
      throw badInput(
        'A commit never changes, so there is nothing to watch.',
        'Name a working tree and omit --at.',
      );
    }
    const missing = findRootFailure(this.#tree.root);
    if (missing) throw missing;
    const { prepare = true, inTurn = (work) => work() } = options;
    const { onSearchable, onUpdate, onHealth, onIndexed, onProgress, onWait } = options;
    const failed = new AbortController();
    const signal = AbortSignal.any([options.signal, failed.signal]);
    let watched: FollowingHealth = { failure: null, warning: null };
    let failure: Error | null = null;
    let isIndexed = false;
    const tell = () => {
      if (!signal.aborted && isIndexed)
        onHealth?.({ ...watched, failure: watched.failure ?? failure });
    };
    const following = new Following(this.#snapshot, this.#indexer, signal, { prepare });
    const steady = new SteadyFollowing(following, {
      signal,
      onSearchable,
      onUpdate: (update) => {
        this.#saveSoon();
        onUpdate?.(update);
      },
      onFailure: (found) => {
        failure = found;
        tell();
      },
    });
    const indexFirst = async () => {
      const run = () => this.index({ signal, follow: prepare, onProgress, onWait });
      const report = await inTurn(run);
      onIndexed?.(report);
      isIndexed = true;
      if (watched.failure || watched.warning) tell();
      await steady.start();
    };
    await watchTree(this.#tree.root, {
      exclude: this.#exclude,
      accepts: indexes,
      signal,
      onHealth: (health) => {
        watched = health;
        tell();
      },
      // Starts only now, so that no change is lost between the listing of the tree and the first event.
      onReady: () => void indexFirst().catch((error) => failed.abort(error)),
      onChange: (batch) => {
        if (batch.rescan || batch.paths.size > MANY_CHANGES) this.#nearest.cancel();
        void steady.apply(batch);
      },
    });
    if (!options.signal.aborted) failed.signal.throwIfAborted();
  }

  search(request: Request<'search'>, options: SearchOptions): Promise<SearchResponse> {
    this.#restLater();
    return SEARCHES.hold(async () => {
      const response = await this.#search(request, options);
      const { results, tookMs: ms } = response;
      log('searched', { repository: this.#tree.root, results: results.length, ms });
      return response;
    });
  }

  async #search(
    request: Request<'search'>,
    { onFirst, onStanding, glance: only, once, signal }: SearchOptions,
  ): Promise<SearchResponse> {
    const start = performance.now();
    if (request.repositories) {
      throw badInput(
        'Only one repository is open, so results cannot be filtered by repository.',
        'Remove the filter by repository.',
      );
    }
    const index = this.#index;
    const encoder = await this.#models.encoder;
    let loss: LocusError | null = null;
    const lose = (error: unknown) => {
      if (!isLoss(error)) throw error;
      loss = error;
      return null;
    };
    const read = await this.#issueOf(request.issue, index, signal);
    const queryVectors =
      index.vectors.size > 0 ? await encodeIssue(encoder, read).catch(lose) : null;
    const glanced = only ? glance(index, queryVectors, request, read) : null;
    const search = () => find(index, queryVectors, request, { read, once });
    const found = glanced?.outcome ?? search();
    const wanted = onStanding?.(glanced?.standing ?? computeStanding(found, index));
    const partial = this.#partial(loss);
    const respond = (outcome: SearchOutcome, refined: Refinement): SearchResponse => {
      const { issue, considered, confidence, results } = explain(outcome, wanted);
      const { id, version } = this.#models.manifest;
      return {
        repository: this.#describe(),
        issue: partial?.files ? meanwhile(issue, partial.files) : issue,
        model: { id, version, device: encoder.device, ranker: outcome.ranker },
        partial,
        considered,
        confidence: partial ? null : confidence,
        refined,
        tookMs: performance.now() - start,
        results,
      };
    };
    const plan = this.#models.rerankStep.plan(found, partial !== null, request.refine);
    if ('refused' in plan) return respond(found, plan.refused);
    const first = onFirst && respond(found, plan.pending);
    if (first) onFirst(first);
    // Read before the first `await`, since an edit may remove a chunk meanwhile.
    const { edits } = index;
    const heads = new Map<number, string>();
    const documents = plan.slots.map((slot) => encoderDocument(this.#store, index, slot, heads));
    const { rerankStep } = this.#models;
    const reranked = await rerankStep.run(found, documents, request.refine, signal);
    const { outcome, refinement } = reranked;
    if (outcome !== found) return respond(outcome, refinement);
    // The initial ranking as shown: an edit may have removed its chunks.
    if (first) return { ...first, refined: refinement, tookMs: performance.now() - start };
    return respond(index.edits === edits ? found : search(), refinement);
  }

  /** Reads an issue, and maps its permalinks to lines of this snapshot. */
  #issueOf(text: string, index: RepositoryIndex, signal?: AbortSignal): Promise<Issue> {
    return followLinks(readOnce(text, issueSyntaxes(index.languages())), index, {
      now: (path) => {
        const file = index.file(path);
        return file ? this.#store.versions.content(file.versionId) : null;
      },
      at: (revision, path) => fileAt(this.#tree, revision, path, signal),
    });
  }

  async readAll({
    signal,
    onProgress = () => {},
  }: Parameters<Repository['readAll']>[0] = {}): Promise<ReadingReport> {
    const partial = this.#partial(null);
    if (partial) {
      throw new LocusError(
        'busy',
        `The index is not complete: ${partial.reason}.`,
        'Index the repository first.',
      );
    }
    if (this.#store.readOnly) throw readOnlyError(this.#store.path);
    const index = this.#index;
    const listed = sourceFirst(index, ({ kind }) => kind !== 'module');
    const all = listed.slice(0, MOST_READ_IN_ADVANCE);
    const ids = new Set(all.map((slot) => index.chunk(slot).id));
    const slots = all.filter((slot) => !this.#read.has(index.chunk(slot).id));
    const meter = new PhaseMeter('read', slots.length, onProgress);
    let read = 0;
    const documents = this.#documents(index, slots, signal);
    const areAll = slots.length === all.length;
    const isDone = await this.#models.rerankStep.prepare(documents, areAll, (count, made) => {
      read += made;
      meter.advance(count);
    });
    if (!isDone) {
      throw new LocusError(
        'busy',
        'Another Locus process is already embedding the functions.',
        'Wait until it has finished.',
      );
    }
    this.#read = ids;
    return { functions: all.length, read, seconds: meter.finish() };
  }

  async *#documents(
    index: RepositoryIndex,
    slots: readonly number[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<EncoderDocument[], void> {
    const heads = new Map<number, string>();
    for (let at = 0; at < slots.length; at += READ_AT_ONCE) {
      await SEARCHES.free(signal);
      throwIfCancelled(signal, 'Embedding the repository');
      if (this.#index !== index)
        throw new LocusError('busy', 'Another Locus process changed the index.', 'Try again.');
      if (heads.size > HEADS_KEPT) heads.clear();
      const live = slots.slice(at, at + READ_AT_ONCE).filter((slot) => index.chunkAt(slot));
      yield live.map((slot) => encoderDocument(this.#store, index, slot, heads));
    }
  }

  show({ chunk }: Request<'show'>): Response<'show'> {
    return SEARCHES.hold(async () => {
      const encoder = await this.#models.encoder;
      // After the encoder has loaded, since an edit may remove the slot's chunk meanwhile.
      const slot = findChunk(this.#index, chunk);
      return chunkDetail(this.#index, this.#store, encoder, slot);
    });
  }

  async file({ path }: Request<'file'>): Response<'file'> {
    return fileDetail(this.#index, this.#store, path);
  }

  async neighbors({ chunk, ...options }: Request<'neighbors'>): Response<'neighbors'> {
    const slot = findChunk(this.#index, chunk);
    return neighborhood(this.#index, this.#store, slot, options);
  }

  async tests({ chunk, ...options }: Request<'tests'>): Response<'tests'> {
    return testsThatReach(this.#index, findChunk(this.#index, chunk), options);
  }

  async references({ chunk, limit }: Request<'references'>): Response<'references'> {
    const slot = findChunk(this.#index, chunk);
    return referencesTo(this.#index, this.#store, slot, limit);
  }

  async blame(
    { path, line }: Request<'blame'>,
    { signal }: { signal?: AbortSignal | undefined },
  ): Response<'blame'> {
    const { hash, versionId } = indexedFile(this.#index, path);
    const text = this.#store.versions.content(versionId);
    const { blameLine } = await import('./history/blame.ts');
    return blameLine(this.#tree, { path, line, text, hash }, signal);
  }

  async similar({ chunk, ...options }: Request<'similar'>): Response<'similar'> {
    this.#restLater();
    const nearest = this.#nearest.of(this.#index);
    if (!nearest) this.#lookSoon();
    return similarChunks(this.#index, findChunk(this.#index, chunk), { ...options, nearest });
  }

  async resolveAnchors({ anchors }: Request<'resolveAnchors'>): Response<'resolveAnchors'> {
    return matchAnchors(this.#index, this.#store, anchors);
  }

  async find({ query, limit }: Request<'find'>): Response<'find'> {
    return findByName(this.#index, query, limit);
  }

  async status(): Response<'status'> {
    const state = this.#store.snapshots.state(this.#index.snapshotId);
    const files = this.#store.snapshots.skipped(this.#index.snapshotId);
    const skipped = Object.entries(Object.groupBy(files, (file) => file.reason));
    const { id, version } = this.#models.manifest;
    return {
      ...this.#describe(),
      chunksByKind: this.#countKinds(),
      edges: this.#index.edgeCount,
      guessedEdges: this.#index.guessedEdgeCount,
      embedded: this.#index.vectors.size,
      filesWithErrors: this.#store.snapshots.filesWithErrors(this.#index.snapshotId),
      languages: this.#countLanguages(),
      unread: this.#store.snapshots.unread(this.#index.snapshotId),
      commits: this.#index.history?.commits.length ?? 0,
      packages: [...this.#index.packages.list],
      skipped: Object.fromEntries(skipped.map(([reason, files]) => [reason, files.length])),
      model: { id, version },
      readModels: this.#models.rerankStep.models,
      databasePath: this.#store.path,
      databaseBytes: this.#store.bytes,
      state: state.complete ? 'complete' : this.#index.live > 0 ? 'partial' : 'empty',
      indexedAt: state.indexedAt,
      notes: this.#store.graphNotes.of(this.#index.snapshotId),
    };
  }

  async skipped(): Response<'skipped'> {
    return this.#store.snapshots.skipped(this.#index.snapshotId);
  }

  async close(): Promise<void> {
    await this.#first;
    await this.#snapshot.idle();
    clearTimeout(this.#saving);
    clearTimeout(this.#looking);
    clearTimeout(this.#resting);
    await Promise.all([
      this.#nearest.close(),
      this.#parsers[Symbol.asyncDispose](),
      this.#models.rerankStep.close(),
      this.#models.encoder.then(
        (encoder) => encoder.close(),
        () => {},
      ),
    ]);
    // Saving needs the memory that these have freed.
    await this.#save();
    await this.#tree.close();
    this.#store.close();
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

  /** Returns why a list is incomplete, or null. @param loss failure of the encoder, which leaves the issue without an embedding. */
  #partial(loss: LocusError | null): PartialRanking | null {
    const embedded = this.#index.vectors.size;
    const { live } = this.#index;
    if (loss) {
      const reason = `ranked without embeddings: ${loss.message.replace(/\.$/, '')}`;
      return { reason, chunks: live, embedded };
    }
    const complete = this.#store.snapshots.state(this.#index.snapshotId).complete;
    if (complete && embedded === live) return null;
    const files = complete ? undefined : this.#reading;
    const reason = files
      ? `${grouped(files.read)} of ${grouped(files.of)} files are indexed so far`
      : live === 0
        ? 'nothing is indexed yet'
        : embedded < live
          ? 'some functions have no embedding yet'
          : this.#snapshot.busy
            ? 'indexing is in progress'
            : 'the last indexing run did not finish';
    return { reason, chunks: live, embedded, ...(files && { files }) };
  }

  #countLanguages(): RepositoryStatus['languages'] {
    const counts = new Map<string, RepositoryStatus['languages'][number]>();
    for (const path of this.#index.paths()) {
      const language = languageOf(path);
      if (!language) continue;
      const { name, title } = language;
      getOrAdd(counts, name, () => ({ name, title, files: 0 })).files++;
    }
    return [...counts.values()].sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
  }

  #countKinds(): Record<ChunkKind, number> {
    const counts: Record<ChunkKind, number> = { function: 0, method: 0, class: 0, module: 0 };
    for (const chunk of this.#index.chunks) if (chunk) counts[chunk.kind]++;
    return counts;
  }
}
