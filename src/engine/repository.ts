import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../base/cancel.ts';
import { DamagedIndex } from '../base/damage.ts';
import { realFolder } from '../base/folders.ts';
import { IdleTimer } from '../base/idle-timer.ts';
import { ignoring, log } from '../base/log.ts';
import { explainMemoryError } from '../base/memory.ts';
import { SEARCH_PRIORITY } from '../base/priority-gate.ts';
import { PhaseMeter } from '../base/progress.ts';
import type { ChunkKind } from '../shared/chunk-kind.ts';
import type { Device } from '../shared/devices.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { formatCount } from '../shared/format-count.ts';
import { getOrAdd } from '../shared/get-or-add.ts';
import type {
  BackgroundEmbeddingReport,
  FollowingHealth,
  IndexProgress,
  IndexReport,
  RepositoryStatus,
} from '../shared/indexing.ts';
import { MAX_BACKGROUND_EMBEDDED } from '../shared/limits.ts';
import type { QueryName, QueryResponse, ValidQueryRequest } from '../shared/queries.ts';
import type {
  EmbedForRerankingOptions,
  QueryMethods,
  Repository,
  RepositoryLifetime,
  SearchOptions,
} from '../shared/repository.ts';
import type { PartialRanking, Reranking, SearchResponse } from '../shared/search.ts';
import { DEFAULT_IDLE_MS, isEncoderLost } from './encode/encoder.ts';
import {
  describeUnverified,
  getModelKey,
  loadManifest,
  type ModelManifest,
} from './encode/manifest.ts';
import type { Encoder, EncoderDocument } from './encode/types.ts';
import { freeMemory } from './event-loop/free-memory.ts';
import { createCallResolver } from './graph/repository-graph.ts';
import { guard } from './guard.ts';
import { matchAnchors } from './inspect/anchors.ts';
import { getChunkHistory } from './inspect/chunk-history.ts';
import { getChunkDetail, getFileDetail, getIndexedFile } from './inspect/detail.ts';
import { findByName } from './inspect/find.ts';
import { describeMissingCalls, describeMissingText } from './inspect/missing-calls.ts';
import { getNeighborhood } from './inspect/neighborhood.ts';
import { findReachingTests } from './inspect/reaching-tests.ts';
import { findReferences } from './inspect/references.ts';
import { findSimilarChunks } from './inspect/similar.ts';
import { type Issue, readIssueCached } from './issue/issue.ts';
import {
  findLanguage,
  getIssueSyntaxes,
  getParserVersion,
  isIndexedPath,
} from './languages/index.ts';
import { NearestIndexes } from './nearest/nearest.ts';
import type { ParserPool, SourceFile } from './parse/pool.ts';
import { acquirePool } from './parse/shared-pool.ts';
import type { ParsedChunk } from './parse/types.ts';
import { ChangeFollower } from './pipeline/change-follower.ts';
import { Indexer, type IndexRunOptions } from './pipeline/indexer.ts';
import { RetryingFollower } from './pipeline/retrying-follower.ts';
import { explain } from './search/explain/explain.ts';
import {
  listPathEnds,
  listUnresolved,
  matchSkipped,
  mayHideFix,
  reportUnindexed,
} from './search/explain/unindexed-mentions.ts';
import { limitReportToIndexed } from './search/gather/issue.ts';
import { followHistory } from './search/gather/past-commits.ts';
import { followLinks } from './search/gather/permalinks.ts';
import { encodeIssue } from './search/gather/query.ts';
import { createPathFilter } from './search/gather/scope.ts';
import type { SearchOutcome } from './search/rank/ranking.ts';
import type { RerankerFolders } from './search/rerank/models.ts';
import { openRerankers, RerankStep } from './search/rerank/rerank.ts';
import { rankChunks } from './search/search.ts';
import { boundCalibratedScore, computeCalibratedScore } from './search/workspace.ts';
import { findChunk } from './snapshot/address.ts';
import { buildEncoderDocument } from './snapshot/encoder-document.ts';
import {
  createReadOnlyError,
  LiveSnapshot,
  NOTHING_PREFETCHED,
  type PrefetchedSnapshot,
} from './snapshot/live-snapshot.ts';
import type { RepositoryIndex } from './snapshot/repository-index.ts';
import { prefetchOnlySnapshot } from './snapshot/snapshot-file.ts';
import { listSourceFirst } from './snapshot/source-first.ts';
import { readFileAt } from './source/commit-tree.ts';
import { findRootFailure } from './source/folder-fingerprint.ts';
import { HashCache } from './source/hash-cache.ts';
import { openTree } from './source/open.ts';
import { describeUnappliedRules } from './source/selection.ts';
import type { SourceTree } from './source/types.ts';
import { findUnindexed } from './source/unindexed.ts';
import { watchTree } from './source/watch.ts';
import { prefetchRows } from './store/embedding-row-map.ts';
import { isReadOnly } from './store/read-only.ts';
import type { EmbeddingModel } from './store/row-format.ts';
import { getIndexPath, Store } from './store/store.ts';

export interface EngineRepositoryOptions {
  /** Returns the folder of a repository's index. `root` is the repository's folder with links resolved. */
  indexFolder: (root: string) => string;
  modelFolder: string;
  rerankerFolders?: RerankerFolders;
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
  /**
   * Called before an index is opened for writing. May fill its folder if it holds no index, and must not throw, except for
   * `cancelled`.
   */
  prepareFolder?: ((folder: UnopenedIndex) => Promise<void>) | undefined;
  /** Called once before the first indexing run, and may fill the snapshot. Its result is added to the run's notes. */
  prepare?: PrepareIndex | undefined;
}

/** Folder of an index that is about to be opened. */
export interface UnopenedIndex {
  root: string;
  directory: string;
  /** True if the folder holds an index. */
  exists: boolean;
  isInGit(): Promise<boolean>;
  signal?: AbortSignal | undefined;
}

/** Index before its first indexing run. */
export interface UnpreparedIndex {
  root: string;
  /** Revision of the snapshot; null for the working tree. */
  revision: string | null;
  /** Commit of the snapshot, or the one that is checked out; null if none exists. */
  head: string | null;
  directory: string;
  model: { key: string; dimensions: number };
  /** True if an indexing run has finished before. */
  wasIndexed: boolean;
  /** True if it starts as a copy of the index of another working tree. */
  isCopy: boolean;
  countSourceBytes(signal?: AbortSignal): Promise<number>;
}

export type PrepareIndex = (place: UnpreparedIndex, options: IndexRunOptions) => Promise<string[]>;

/**
 * Opens a repository, any folder, or one commit. If it was indexed before, it can be searched immediately. An index that is not
 * writable is opened as with `readOnly`: `index` then throws `read-only`, and everything else works.
 * @param encoder closed with the repository, also if opening fails
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`
 */
export async function openRepositoryAt(
  root: string,
  options: EngineRepositoryOptions,
  encoder: Promise<Encoder>,
): Promise<Repository> {
  const { modelFolder, rerankerFolders = {}, device = 'auto', commitsKept } = options;
  const opened: { close(): unknown }[] = [
    { close: () => encoder.then((made) => made.close()).catch(ignoring('load-encoder')) },
  ];
  try {
    const manifest = await loadManifest(modelFolder);
    if (manifest.kind === 'pair') throw createRoleError(modelFolder);
    const rerankStep = await openRerankStep(rerankerFolders, device);
    // The index is prefetched while git inspects the folder. The index of a bare repository is in another folder.
    const expectedDirectory = options.indexFolder(realFolder(root));
    const { id, version, dimensions } = manifest;
    const model = { key: getModelKey(id, version), dimensions };
    const isFolder = options.revision === undefined;
    const ahead = isFolder
      ? prefetchSnapshot(expectedDirectory, model)
      : Promise.resolve(NOTHING_PREFETCHED);
    const opening = openTree(resolve(root), options);
    opening.catch(() => {}); // Awaited below.
    await nextTurn();
    const hashes = isFolder ? HashCache.load(getHashesPath(expectedDirectory)) : null;
    const tree = await opening;
    opened.push(tree);
    const directory = options.indexFolder(tree.root);
    const readOnly = options.readOnly || isReadOnly(getIndexPath(directory));
    if (!readOnly) {
      await options.prepareFolder?.({
        root: tree.root,
        directory,
        exists: existsSync(getIndexPath(directory)),
        isInGit: async () => (await tree.getHead(options.signal)) !== null,
        signal: options.signal,
      });
    }
    rerankStep.storeIn(directory, readOnly);
    const known = directory === expectedDirectory ? hashes : null;
    tree.hashes?.adopt(known ?? HashCache.load(getHashesPath(directory)));
    const openStore = (revision: string | null) =>
      new Store(directory, commitsKept, readOnly ? { revision } : undefined);
    const stored = await openSnapshot(tree.revision, model, openStore, ahead);
    const { store } = stored;
    opened.push(store);
    const unverified = describeUnverified(modelFolder, manifest);
    if (unverified !== null) store.notes.push(unverified);
    const models = { manifest, model, encoder, rerankStep };
    const repository = new OpenedRepository(tree, stored, models, options);
    return guard(repository, (error) =>
      explainMemoryError(store.explainFailure(error), FOR_REPOSITORY),
    );
  } catch (error) {
    for (const one of opened.reverse()) await one.close();
    throw explainMemoryError(error, FOR_REPOSITORY);
  }
}

const createRoleError = (modelFolder: string): LocusError =>
  new LocusError(
    'bad-model',
    `The model in ${modelFolder} is a reranker. It cannot embed functions.`,
    'Choose an encoder. locus models lists them.',
  );

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
const SAVE_DELAY_MS = 20_000;
/** Milliseconds from the first query that a base index would speed up until one is loaded or built. Commands have ended by then. */
const NEAREST_DELAY_MS = 2_000;
/** Number of files changed at once above which building a base index is cancelled, since indexing needs the processors. */
const MANY_CHANGES = 50;

/** Number of attempts to rank an index whose code changes while the results are reranked. */
const MAX_SEARCH_ATTEMPTS = 5;

/** Documents encoded in the background between two checks for cancellation and searches: half a second on two cores. */
const DOCUMENTS_PER_STEP = 32;
/** Maximum number of beginnings of callees that are cached during background embedding: 10 MB. */
const MAX_CACHED_HEADS = 10_000;

interface Models {
  manifest: ModelManifest;
  model: EmbeddingModel;
  encoder: Promise<Encoder>;
  rerankStep: RerankStep;
}

const getHashesPath = (directory: string) => join(directory, 'hashes.columns');

/**
 * Reads the only snapshot in an index's folder in other threads. Resolves when everything except the embeddings is read; these
 * follow while the caller loads the rest.
 */
async function prefetchSnapshot(
  folder: string,
  model: EmbeddingModel,
): Promise<PrefetchedSnapshot> {
  const columns = await prefetchOnlySnapshot(folder);
  return { columns, rows: columns && prefetchRows(folder, model) };
}

/** Opens the snapshot of a revision. Replaces a damaged store by a new one. */
async function openSnapshot(
  revision: string | null,
  model: EmbeddingModel,
  openStore: (revision: string | null) => Store,
  ahead: Promise<PrefetchedSnapshot>,
) {
  const open = async (notes: string[]) => {
    const store = openStore(revision);
    store.notes.push(...notes);
    try {
      const snapshot = new LiveSnapshot(store, revision, model, await ahead);
      await snapshot.waitUntilLoaded();
      return { store, snapshot };
    } catch (error) {
      const failure = store.explainFailure(error);
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

/** Parses texts and returns their chunks by path, without files that could not be parsed. */
async function parseAll(
  pool: Pick<ParserPool, 'parse'>,
  files: readonly SourceFile[],
): Promise<Map<string, readonly ParsedChunk[]>> {
  const { unpackFile } = await import('./parse/packed-file.ts');
  const parsed = new Map<string, readonly ParsedChunk[]>();
  for await (const file of pool.parse([files]))
    if (file.failure === null) parsed.set(file.path, unpackFile(file).chunks);
  return parsed;
}

type Request<Name extends QueryName> = ValidQueryRequest<Name>;
type Response<Name extends QueryName> = Promise<QueryResponse<Name>>;

class OpenedRepository implements QueryMethods, RepositoryLifetime {
  readonly #tree: SourceTree;
  readonly #store: Store;
  readonly #models: Models;
  readonly #parsers = acquirePool();
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #exclude: string[];
  readonly #nearest: NearestIndexes;
  #prepare: PrepareIndex | undefined;
  #preparation: Promise<unknown> | undefined;
  #saveTimer: NodeJS.Timeout | undefined;
  /** Frees the memory that only searches need. Models are released after the same time. */
  readonly #idleTimer = new IdleTimer(DEFAULT_IDLE_MS, () => this.#releaseMemory());
  #nearestTimer: NodeJS.Timeout | undefined;
  /** Ids of the chunks encoded in the background. They are not encoded again, even if their callees have changed. */
  #embeddedIds: ReadonlySet<number> = new Set();
  #parsedFiles: PartialRanking['files'];

  constructor(
    tree: SourceTree,
    { store, snapshot }: Awaited<ReturnType<typeof openSnapshot>>,
    models: Models,
    options: EngineRepositoryOptions,
  ) {
    this.#tree = tree;
    this.#store = store;
    this.#models = models;
    this.#exclude = options.exclude ?? [];
    this.#prepare = options.prepare;
    this.#snapshot = snapshot;
    this.#nearest = new NearestIndexes(store, models.model);
    this.#indexer = new Indexer({
      store,
      tree,
      accepts: isIndexedPath,
      parserOf: getParserVersion,
      pool: this.#parsers.pool,
      encoder: models.encoder,
      newResolver: createCallResolver,
      startFromSimilar: (entries) => snapshot.startFromSimilar(entries, getParserVersion),
      searches: SEARCH_PRIORITY,
    });
  }

  get #index(): RepositoryIndex {
    return this.#snapshot.index;
  }

  index(options: IndexRunOptions = {}): Promise<IndexReport> {
    const prepare = this.#prepare;
    this.#prepare = undefined;
    if (!prepare || this.#store.readOnly) return this.#runIndexing(options);
    const report = this.#prepareAndIndex(prepare, options);
    // The caller of this run gets the error.
    this.#preparation = report.catch(() => {});
    return report;
  }

  async #prepareAndIndex(prepare: PrepareIndex, options: IndexRunOptions): Promise<IndexReport> {
    const place: UnpreparedIndex = {
      root: this.#tree.root,
      revision: this.#tree.revision,
      head: await this.#tree.getHead(options.signal),
      directory: this.#store.directory,
      model: this.#models.model,
      wasIndexed: this.#store.snapshots.getState(this.#index.snapshotId).complete,
      isCopy: this.#store.snapshots.hasCopied(),
      countSourceBytes: async (signal?: AbortSignal) => {
        const { entries } = await this.#tree.list(isIndexedPath, undefined, signal);
        return entries.reduce((sum, { size }) => sum + size, 0);
      },
    };
    const notes = await prepare(place, options);
    const report = await this.#runIndexing(options);
    return { ...report, notes: [...notes, ...report.notes] };
  }

  #runIndexing(options: IndexRunOptions): Promise<IndexReport> {
    const onProgress = (progress: IndexProgress) => {
      const { phase, done, total } = progress;
      this.#parsedFiles = phase === 'parse' && done < total ? { read: done, of: total } : undefined;
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
      .runExclusive(options.signal, run, undefined, options.onWait)
      .finally(() => {
        this.#parsedFiles = undefined;
      });
  }

  /**
   * Writes the snapshot's file after a while without changes, since the next change would make it outdated. Then also builds a
   * base index of the embeddings.
   */
  #saveSoon(): void {
    clearTimeout(this.#saveTimer);
    const save = () => this.#save().then(() => this.#nearest.prepare(this.#index));
    this.#saveTimer = setTimeout(save, SAVE_DELAY_MS).unref();
    this.#idleTimer.restart();
  }

  #releaseMemory(): void {
    try {
      this.#snapshot.releaseMemory();
      freeMemory();
    } catch {
      // The next query reports a damaged index.
    }
  }

  /** Saves what speeds up the next opening: the snapshot's file, and the hashes of the files. */
  async #save(): Promise<void> {
    await this.#snapshot.save().catch(ignoring('save-snapshot'));
    const { hashes } = this.#tree;
    if (hashes?.isChanged && !this.#store.readOnly)
      await hashes.save(getHashesPath(this.#store.directory));
  }

  #prepareNearestSoon(): void {
    this.#nearestTimer ??= setTimeout(() => {
      this.#nearestTimer = undefined;
      if (!this.#snapshot.isBusy) void this.#nearest.prepare(this.#index);
    }, NEAREST_DELAY_MS).unref();
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
    const { prepareGraph = true, enqueue = (work) => work() } = options;
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
    const following = new ChangeFollower(this.#snapshot, this.#indexer, signal, {
      prepare: prepareGraph,
    });
    const steady = new RetryingFollower(following, {
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
      const run = () => this.index({ signal, follow: prepareGraph, onProgress, onWait });
      const report = await enqueue(run);
      onIndexed?.(report);
      isIndexed = true;
      if (watched.failure || watched.warning) tell();
      await steady.start();
    };
    // Watching all folders takes a while, and the first results need not wait for it. What changes until then is found by a rescan.
    const isNew = !this.#store.snapshots.getState(this.#index.snapshotId).complete;
    if (isNew) {
      await indexFirst().catch((error) => {
        if (!signal.aborted) throw error;
      });
    }
    await watchTree(this.#tree.root, {
      exclude: this.#exclude,
      accepts: isIndexedPath,
      signal,
      onHealth: (health) => {
        watched = health;
        tell();
      },
      // Starts only now, so that no change is lost between the listing of the tree and the first event.
      onReady: () => {
        if (isNew) void steady.apply({ paths: new Set(), rescan: true });
        else void indexFirst().catch((error) => failed.abort(error));
      },
      onChange: (batch) => {
        if (batch.rescan || batch.paths.size > MANY_CHANGES) this.#nearest.cancel();
        void steady.apply(batch);
      },
    });
    if (!options.signal.aborted) failed.signal.throwIfAborted();
  }

  search(request: Request<'search'>, options: SearchOptions): Promise<SearchResponse> {
    this.#idleTimer.restart();
    return SEARCH_PRIORITY.run(async () => {
      const response = await this.#search(request, options);
      const { results, tookMs: ms } = response;
      log('searched', { repository: this.#tree.root, results: results.length, ms });
      return response;
    });
  }

  async #search(
    request: Request<'search'>,
    options: SearchOptions,
    attempts = MAX_SEARCH_ATTEMPTS,
  ): Promise<SearchResponse> {
    const { onInitial, onProgress, onCalibratedScore, singlePass, signal } = options;
    const { estimateOnly: only } = options;
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
      if (!isEncoderLost(error)) throw error;
      loss = error;
      return null;
    };
    const read = await this.#readIssue(request.issue, index, signal);
    const queryVectors = await encodeIssue(encoder, read).catch(lose);
    const glanced = only ? boundCalibratedScore(index, queryVectors, request, read) : null;
    const search = () => rankChunks(index, queryVectors, request, { read, once: singlePass });
    // Describes right after ranking what the index lacks: indexing may finish before the response is built.
    const rank = (found = search()) => {
      const missing = this.#describeMissing(loss);
      return { found, missing, partial: missing ?? this.#describePendingHistory() };
    };
    const { edits: editsBefore } = index;
    const first = rank(glanced?.outcome);
    // Files that are not parsed yet are not unreadable.
    const looksUp = !only && !first.partial?.files;
    const unindexed = looksUp ? await this.#findUnindexed(first.found, signal) : [];
    // An edit meanwhile may have removed a chunk of the ranking.
    const { found, missing, partial } = index.edits === editsBefore ? first : rank();
    const wanted = onCalibratedScore?.(
      glanced?.calibratedScore ?? computeCalibratedScore(found, index),
    );
    const respond = (outcome: SearchOutcome, reranking: Reranking): SearchResponse => {
      const { issue: report, considered, confidence, results } = explain(outcome, wanted);
      const issue = reportUnindexed(report, unindexed);
      const { id, version } = this.#models.manifest;
      return {
        repository: this.#describe(),
        issue: partial?.files ? limitReportToIndexed(issue, partial.files) : issue,
        model: { id, version, device: encoder.device, ranker: outcome.ranker },
        partial,
        considered,
        confidence: partial || mayHideFix(unindexed) ? null : confidence,
        reranking,
        tookMs: performance.now() - start,
        results,
      };
    };
    const { count, deadlineMs } = request.rerank;
    const plan = this.#models.rerankStep.plan(found, missing !== null, count);
    if ('refused' in plan) return respond(found, plan.refused);
    const initial = onInitial && respond(found, plan.pending);
    if (initial) onInitial(initial);
    // Read before the first `await`, since an edit may remove a chunk meanwhile.
    const { edits } = index;
    const heads = new Map<number, string>();
    const documents = plan.slots.map((slot) =>
      buildEncoderDocument(this.#store, index, slot, heads),
    );
    const { rerankStep } = this.#models;
    const meter = new PhaseMeter('rerank', documents.length, onProgress ?? (() => {}));
    const { outcome, reranking } = await rerankStep.run(found, documents, {
      deadlineMs,
      signal,
      onScored: (added) => meter.advance(added),
    });
    if (outcome !== found) return respond(outcome, reranking);
    // The embeddings of unchanged functions are cached, so another attempt is fast.
    if (reranking.state === 'changed' && attempts > 1)
      return this.#search(request, { ...options, onInitial: undefined }, attempts - 1);
    // The initial ranking as shown: an edit may have removed its chunks.
    if (initial) return { ...initial, reranking, tookMs: performance.now() - start };
    return respond(index.edits === edits ? found : search(), reranking);
  }

  /** Finds the files that an issue mentions and that are not in the index. */
  async #findUnindexed({ read, report }: SearchOutcome, signal?: AbortSignal) {
    const mentions = listUnresolved(read, report);
    if (mentions.length === 0) return [];
    const skipped = this.#store.snapshots.getSkipped(this.#index.snapshotId);
    const others = await findUnindexed(this.#tree, listPathEnds(mentions), signal);
    const missing = others.filter(({ path }) => !this.#index.getFile(path));
    return matchSkipped(mentions, [...skipped, ...missing]);
  }

  /** Reads an issue, maps its permalinks to lines of this snapshot, and looks up the commits that it names. */
  async #readIssue(text: string, index: RepositoryIndex, signal?: AbortSignal): Promise<Issue> {
    const read = readIssueCached(text, getIssueSyntaxes(index.getLanguages()));
    const followed = await followLinks(read, index, {
      now: (path) => {
        const file = index.getFile(path);
        return file ? this.#store.versions.getContent(file.versionId) : null;
      },
      at: (revision, path) => readFileAt(this.#tree, revision, path, signal),
    });
    return followHistory(followed, index, this.#tree, signal);
  }

  async embedForReranking({
    signal,
    onProgress = () => {},
    waitUntilIdle = async () => {},
  }: EmbedForRerankingOptions = {}): Promise<BackgroundEmbeddingReport> {
    const missing = this.#describeMissing(null);
    if (missing) {
      throw new LocusError(
        'busy',
        `The index is not complete: ${missing.reason}.`,
        'Index the repository first.',
      );
    }
    if (this.#store.readOnly) throw createReadOnlyError(this.#store.path);
    const index = this.#index;
    const listed = listSourceFirst(index, ({ kind }) => kind !== 'module');
    const all = listed.slice(0, MAX_BACKGROUND_EMBEDDED);
    const ids = new Set(all.map((slot) => index.getChunk(slot).id));
    const slots = all.filter((slot) => !this.#embeddedIds.has(index.getChunk(slot).id));
    const meter = new PhaseMeter('embed', slots.length, onProgress);
    let read = 0;
    const wait = async () => {
      await waitUntilIdle(signal);
      await SEARCH_PRIORITY.waitUntilFree(signal);
      throwIfCancelled(signal, 'Embedding the repository');
    };
    const documents = this.#buildDocuments(index, slots, wait);
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
    this.#embeddedIds = ids;
    return { functions: all.length, embedded: read, seconds: meter.finish() };
  }

  async *#buildDocuments(
    index: RepositoryIndex,
    slots: readonly number[],
    wait: () => Promise<void>,
  ): AsyncGenerator<EncoderDocument[], void> {
    const heads = new Map<number, string>();
    for (let at = 0; at < slots.length; at += DOCUMENTS_PER_STEP) {
      await wait();
      if (this.#index !== index)
        throw new LocusError('busy', 'Another Locus process changed the index.', 'Try again.');
      if (heads.size > MAX_CACHED_HEADS) heads.clear();
      const live = slots
        .slice(at, at + DOCUMENTS_PER_STEP)
        .filter((slot) => index.getChunkOrNull(slot));
      yield live.map((slot) => buildEncoderDocument(this.#store, index, slot, heads));
    }
  }

  show({ chunk }: Request<'show'>): Response<'show'> {
    return SEARCH_PRIORITY.run(async () => {
      const encoder = await this.#models.encoder;
      // After the encoder has loaded, since an edit may remove the slot's chunk meanwhile.
      const slot = findChunk(this.#index, chunk);
      return getChunkDetail(this.#index, this.#store, encoder, slot);
    });
  }

  async file({ path }: Request<'file'>): Response<'file'> {
    return getFileDetail(this.#index, this.#store, path);
  }

  async neighbors({ chunk, ...options }: Request<'neighbors'>): Response<'neighbors'> {
    const slot = findChunk(this.#index, chunk);
    const { snapshotId } = this.#index;
    const { snapshots } = this.#store;
    const note = describeMissingCalls(
      snapshots.getSkipped(snapshotId),
      snapshots.getUnread(snapshotId),
    );
    return { ...getNeighborhood(this.#index, this.#store, slot, options), note };
  }

  async tests({ chunk, ...options }: Request<'tests'>): Response<'tests'> {
    return findReachingTests(this.#index, findChunk(this.#index, chunk), options);
  }

  async references({ chunk, limit }: Request<'references'>): Response<'references'> {
    const slot = findChunk(this.#index, chunk);
    return findReferences(this.#index, this.#store, slot, limit);
  }

  async blame(
    { path, line }: Request<'blame'>,
    { signal }: { signal?: AbortSignal | undefined },
  ): Response<'blame'> {
    const { hash, versionId } = getIndexedFile(this.#index, path);
    const text = this.#store.versions.getContent(versionId);
    const { blameLine } = await import('./history/blame.ts');
    return blameLine(this.#tree, { path, line, text, hash }, signal);
  }

  async history({ chunk, limit }: Request<'history'>): Response<'history'> {
    return getChunkHistory(this.#index, findChunk(this.#index, chunk), limit);
  }

  async similar({ chunk, ...options }: Request<'similar'>): Response<'similar'> {
    this.#idleTimer.restart();
    const nearest = this.#nearest.getIndex(this.#index);
    if (!nearest) this.#prepareNearestSoon();
    return findSimilarChunks(this.#index, findChunk(this.#index, chunk), { ...options, nearest });
  }

  async impact(
    request: Request<'impact'>,
    { signal }: { signal?: AbortSignal | undefined },
  ): Response<'impact'> {
    this.#idleTimer.restart();
    const { findImpact } = await import('./inspect/impact/impact.ts');
    const opened = { tree: this.#tree, index: this.#index, store: this.#store };
    const parse = (files: readonly SourceFile[]) => parseAll(this.#parsers.pool, files);
    return findImpact({ ...opened, parse }, request, signal);
  }

  async resolveAnchors({ anchors }: Request<'resolveAnchors'>): Response<'resolveAnchors'> {
    return matchAnchors(this.#index, this.#store, anchors);
  }

  async find({ query, limit }: Request<'find'>): Response<'find'> {
    return findByName(this.#index, query, limit);
  }

  async grep(
    request: Request<'grep'>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Response<'grep'> {
    const { grepIndex } = await import('./inspect/grep.ts');
    const { paths = [] } = request;
    const includes = paths.length > 0 ? createPathFilter(paths) : () => true;
    const { snapshots } = this.#store;
    const describeUnread = () => {
      const { snapshotId } = this.#index;
      const skipped = snapshots.getSkipped(snapshotId).filter(({ path }) => includes(path));
      const unread = paths.length > 0 ? [] : snapshots.getUnread(snapshotId);
      return describeMissingText(skipped, unread, this.#parsedFiles);
    };
    const { root } = this.#tree;
    const getIndex = () => this.#index;
    const source = { root, store: this.#store, getIndex, includes, describeUnread };
    return grepIndex(source, request, signal);
  }

  async status(): Response<'status'> {
    const state = this.#store.snapshots.getState(this.#index.snapshotId);
    const files = this.#store.snapshots.getSkipped(this.#index.snapshotId);
    const skipped = Object.entries(Object.groupBy(files, (file) => file.reason));
    const { id, version } = this.#models.manifest;
    return {
      ...this.#describe(),
      chunksByKind: this.#countKinds(),
      edges: this.#index.edgeCount,
      guessedEdges: this.#index.guessedEdgeCount,
      embedded: this.#index.vectors.size,
      filesWithErrors: this.#store.snapshots.countFilesWithErrors(this.#index.snapshotId),
      languages: this.#countLanguages(),
      unread: this.#store.snapshots.getUnread(this.#index.snapshotId),
      commits: this.#index.history?.commits.length ?? 0,
      packages: [...this.#index.packages.list],
      skipped: Object.fromEntries(skipped.map(([reason, files]) => [reason, files.length])),
      model: { id, version },
      rerankModels: this.#models.rerankStep.models,
      databasePath: this.#store.path,
      databaseBytes: this.#store.bytes,
      state: state.complete ? 'complete' : this.#index.liveCount > 0 ? 'partial' : 'empty',
      indexedAt: state.indexedAt,
      notes: [
        ...describeUnappliedRules(files),
        ...this.#store.graphNotes.summarize(this.#index.snapshotId),
      ],
    };
  }

  async skipped(): Response<'skipped'> {
    return this.#store.snapshots.getSkipped(this.#index.snapshotId);
  }

  async close(): Promise<void> {
    await this.#preparation;
    await this.#snapshot.waitUntilIdle();
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#nearestTimer);
    this.#idleTimer.stop();
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
      chunks: this.#index.liveCount,
    };
  }

  /** Returns why a list is incomplete, or null. @param loss failure of the encoder, which leaves the issue without an embedding. */
  /** Says which files or embeddings a ranking lacks; null if none. */
  #describeMissing(loss: LocusError | null): PartialRanking | null {
    const embedded = this.#index.vectors.size;
    const { liveCount } = this.#index;
    if (loss) {
      const reason = `ranked without embeddings: ${loss.message.replace(/\.$/, '')}`;
      return { reason, chunks: liveCount, embedded };
    }
    const complete = this.#store.snapshots.getState(this.#index.snapshotId).complete;
    if (complete && embedded === liveCount) return null;
    const files = complete ? undefined : this.#parsedFiles;
    const reason = files
      ? `${formatCount(files.read)} of ${formatCount(files.of)} files are indexed so far`
      : liveCount === 0
        ? 'nothing is indexed yet'
        : embedded < liveCount
          ? 'some functions have no embedding yet'
          : this.#snapshot.isBusy
            ? 'indexing is in progress'
            : 'the last indexing run did not finish';
    return { reason, chunks: liveCount, embedded, ...(files && { files }) };
  }

  #describePendingHistory(): PartialRanking | null {
    const { isHistoryPending, liveCount, vectors } = this.#index;
    if (!isHistoryPending) return null;
    const reason = 'past commits have not been read yet';
    return { reason, chunks: liveCount, embedded: vectors.size };
  }

  #countLanguages(): RepositoryStatus['languages'] {
    const counts = new Map<string, RepositoryStatus['languages'][number]>();
    for (const path of this.#index.getPaths()) {
      const language = findLanguage(path);
      if (!language) continue;
      const { name, title } = language;
      getOrAdd(counts, name, () => ({ name, title, files: 0 })).files++;
    }
    return [...counts.values()].sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
  }

  #countKinds(): Record<ChunkKind, number> {
    const counts: Record<ChunkKind, number> = {
      function: 0,
      method: 0,
      class: 0,
      module: 0,
      section: 0,
    };
    for (const chunk of this.#index.chunks) if (chunk) counts[chunk.kind]++;
    return counts;
  }
}
