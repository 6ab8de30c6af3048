import { pause, throwIfCancelled } from '../../base/cancel.ts';
import { ignoring } from '../../base/log.ts';
import type { PriorityGate } from '../../base/priority-gate.ts';
import { PhaseMeter, type PhaseRunner } from '../../base/progress.ts';
import type { IndexPhase, IndexProgress, IndexReport, WatchUpdate } from '../../shared/indexing.ts';
import type { IndexOptions } from '../../shared/repository.ts';
import type { Encoder } from '../encode/types.ts';
import { freeMemory } from '../event-loop/free-memory.ts';
import type { CallResolver } from '../graph/types.ts';
import { listLanguageProblems } from '../languages/index.ts';
import type { ParserPool } from '../parse/pool.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { batchBySize } from '../source/limits.ts';
import { describeUnappliedRules } from '../source/selection.ts';
import type { SourceEntry, SourceListing, SourceTree } from '../source/types.ts';
import type { Store } from '../store/store.ts';
import { BackgroundHistory } from './background-history.ts';
import { encodeChunks, encodeTemporarily, listUnencoded } from './encode-stage.ts';
import { type FileChanges, FileStage } from './file-stage.ts';
import { resolveGraph } from './graph-stage.ts';

export interface IndexerContext {
  store: Store;
  tree: SourceTree;
  accepts: (path: string) => boolean;
  parserOf: (path: string) => string;
  pool: Pick<ParserPool, 'parse' | 'startThread' | 'warmUp' | 'stopIdleThreads' | 'size'>;
  encoder: Promise<Encoder>;
  newResolver: () => CallResolver;
  /** Fills the empty snapshot from a similar one, see `LiveSnapshot.startFromSimilar`. */
  startFromSimilar?: (entries: readonly SourceEntry[]) => RepositoryIndex;
  /** Maximum number of files in a transaction; 64 for parsing and 256 for the graph by default. */
  batchFiles?: number;
  /** Searches, which have priority over preparations for edits. */
  searches?: PriorityGate;
  /** Number of chunks up to which the graph is resolved before an edit arrives. */
  readyChunks?: number | undefined;
}

export interface IndexRunOptions extends IndexOptions {
  /** True if edits are expected. The resolver then stays in memory, unless the repository is large. */
  follow?: boolean;
}

export interface UpdateOptions {
  signal?: AbortSignal;
  /** Called when the text of the files is searchable, before graph and embeddings are complete. */
  onSearchable?: (files: Pick<WatchUpdate, 'changed' | 'removed'>) => void;
  /** Called after that if the whole graph must be resolved, which takes long. */
  onWholeGraph?: (update: UpdateResult) => void;
}

/** Default of `readyChunks`. A resolver in memory takes 1.5 MB per thousand chunks. */
const DEFAULT_READY_CHUNKS = 50_000;

/** Number of chunks up to which the facts of a whole graph take less memory than it is worth to collect at once. */
const MIN_CHUNKS_TO_FREE = 5_000;

/** Number of new files above which parsing takes longer than loading a model again. */
const MAX_FILES_WITH_MODEL = 1_000;

/**
 * Share of files to parse before reading the history starts. If it starts later, other stages end before it. If it starts
 * earlier, it competes with parsing for processors, which later stages leave idle.
 */
const PARSED_BEFORE_HISTORY = 0.5;

/** Milliseconds left for searches after an edit is reported, before resolving the whole graph keeps this thread busy. */
const SEARCH_PAUSE_MS = 250;
/** Minimum number of chunks in the file whose beginning warms up a parser, and the length of that in UTF-16 units. */
const [SAMPLE_CHUNKS, SAMPLE_UNITS] = [5, 600];
/** Maximum number of changed chunks to encode before the whole graph is resolved. A bag encoder takes ten milliseconds for them. */
const MAX_TEMPORARY_CHUNKS = 128;

/** Result of an update, without its times. */
export type UpdateResult = Pick<WatchUpdate, 'changed' | 'removed' | 'chunksEncoded'>;

/** Updates one snapshot's index from its source tree: completely, or only paths that have changed. */
export class Indexer {
  readonly #context: IndexerContext;
  /** Resolver with the facts of all files and the dependencies of their edges; null until an edit is expected. */
  #resolver: CallResolver | null = null;
  /** Index whose files the resolver knows. */
  #resolverIndex: RepositoryIndex | null = null;

  constructor(parts: IndexerContext) {
    this.#context = parts;
  }

  /**
   * Updates everything. Searches may run meanwhile and see the result of each stage as it is stored.
   * @throws LocusError `cancelled` if the signal aborts. Results stored before stay and are reused.
   */
  async run(
    current: RepositoryIndex,
    options: IndexRunOptions & UpdateOptions = {},
  ): Promise<IndexReport & UpdateResult> {
    const { store, startFromSimilar } = this.#context;
    const { snapshotId } = current;
    const start = performance.now();
    const seconds: IndexReport['seconds'] = { firstSearch: 0, total: 0, phases: {} };
    const meter = this.#createMeter(seconds.phases, options.onProgress ?? (() => {}));

    this.#discardStaleResolver(current);
    const isEmpty = current.getAllPaths().length === 0;
    if (isEmpty) this.#context.pool.startThread();
    const listing = await meter('scan', 0, () =>
      this.#context.tree.list(this.#context.accepts, undefined, options.signal),
    );
    const canCopy = isEmpty && startFromSimilar !== undefined && store.snapshots.hasComplete();
    if (canCopy) listing.entries = await this.#hashAll(listing.entries, options.signal);
    const index = canCopy ? startFromSimilar(listing.entries) : current;
    // Parsing needs the memory before anything is encoded.
    if (listing.entries.length - index.fileCount > MAX_FILES_WITH_MODEL)
      this.#context.encoder.then((encoder) => encoder.unload()).catch(ignoring('release-memory'));
    store.snapshots.setAttributes(snapshotId, listing.attributes);
    index.setRoleRules(listing.attributes);
    const { tree } = this.#context;
    const history = new BackgroundHistory({
      store,
      index,
      tree,
      signal: options.signal,
      isWanted: options.history ?? true,
    });
    const onParsed = (changes: FileChanges) => {
      seconds.firstSearch = (performance.now() - start) / 1000;
      options.onSearchable?.(toUpdate(changes));
    };
    const { changes, chunksEncoded, historyNotes } = await this.#runStages(
      index,
      listing,
      history,
      {
        ...options,
        meter,
        onParsed,
      },
    ).finally(() => history.stop());
    if (changes.removed.length + changes.parsed.length > 0) store.collectGarbage();
    store.returnFreeSpace();

    seconds.total = (performance.now() - start) / 1000;
    const encoder = await this.#context.encoder;
    return {
      ...toUpdate(changes),
      files: index.fileCount,
      chunks: index.liveCount,
      edges: index.edgeCount,
      filesParsed: changes.parsed.length,
      filesRemoved: changes.removed.length,
      chunksEncoded,
      skipped: listing.skipped.length + changes.skipped.length,
      submodules: listing.submodules,
      seconds,
      device: encoder.device,
      notes: [
        ...store.notes,
        ...listLanguageProblems(),
        ...(tree.listNotes?.() ?? []),
        ...describeUnappliedRules(listing.skipped),
        ...changes.notes,
        ...(encoder.fallback ? [encoder.fallback] : []),
        ...store.graphNotes.summarize(snapshotId),
        ...historyNotes,
      ],
    };
  }

  /** Returns the entries with their hashes, which are unknown for files on disk that were never read. */
  async #hashAll(
    entries: readonly SourceEntry[],
    signal: AbortSignal | undefined,
  ): Promise<SourceEntry[]> {
    const hashes = new Map<string, string>();
    const unknown = entries.filter(({ hash }) => hash === null);
    for (const batch of batchBySize(unknown)) {
      for await (const content of this.#context.tree.read(batch, signal)) {
        throwIfCancelled(signal, 'Indexing');
        if ('hash' in content) hashes.set(content.path, content.hash);
      }
    }
    return entries.map((entry) => ({
      ...entry,
      hash: entry.hash ?? hashes.get(entry.path) ?? null,
    }));
  }

  /** Loads the parsers for the most frequent languages, so that the first edit doesn't wait for them. */
  warm(index: RepositoryIndex): void {
    void this.#context.pool.warmUp(index.getAllPaths(), (path) => this.#getSample(index, path));
  }

  /** Returns the beginning of a file in the same language as another one. */
  #getSample(index: RepositoryIndex, like: string): string {
    const { store, parserOf } = this.#context;
    const parser = parserOf(like);
    const hasSome = (path: string) => index.getSlotsByPath(path).length >= SAMPLE_CHUNKS;
    const path = index.getAllPaths().find((one) => parserOf(one) === parser && hasSome(one));
    const file = index.getFile(path ?? like);
    return file ? store.versions.getContent(file.versionId).slice(0, SAMPLE_UNITS) : '';
  }

  /**
   * Resolves the whole graph, so that the first edit doesn't wait for it: the resolver must know which files an edit affects. Does
   * nothing if that was done since the index was loaded, or if it takes too much memory. Writes nothing if the stored graph is
   * current.
   * @throws LocusError `cancelled` if the signal aborts. The next update with changes then resolves the graph.
   */
  async prepareUpdates(index: RepositoryIndex, signal?: AbortSignal): Promise<void> {
    const { store, newResolver } = this.#context;
    this.#discardStaleResolver(index);
    // An incomplete index of another process is completed by a run, which keeps its resolver.
    const { complete } = store.snapshots.getState(index.snapshotId);
    if (this.#resolver || !complete || !this.#shouldKeepResolver(index)) return;
    const work = { resolver: newResolver(), changed: null, yieldsTo: this.#context.searches };
    await this.#resolve(index, work, signal);
    await this.#encodeRemaining(index, signal);
  }

  #shouldKeepResolver(index: RepositoryIndex): boolean {
    return index.liveCount <= (this.#context.readyChunks ?? DEFAULT_READY_CHUNKS);
  }

  /** Frees the memory that speeds up edits. The next update with changes then resolves the whole graph. */
  releaseMemory(): void {
    this.#resolver = null;
    freeMemory();
  }

  /**
   * Updates paths that were changed, added or removed. Updates all paths if the last run of any process did not finish.
   * @throws LocusError `cancelled`, as `run` does.
   */
  async update(
    index: RepositoryIndex,
    paths: ReadonlySet<string>,
    options: UpdateOptions = {},
  ): Promise<UpdateResult> {
    const { store, tree, accepts } = this.#context;
    const { snapshotId } = index;
    const { signal } = options;
    if (!store.snapshots.getState(snapshotId).complete) return this.run(index, options);
    this.#discardStaleResolver(index);
    // Listing, instead of reading the paths directly, shows which of them are ignored or removed.
    const { entries, skipped } = await tree.list(accepts, paths, signal);
    const changes = await this.#updateFiles(index, paths, entries, signal, () => {});
    store.transaction(() => {
      store.snapshots.removeSkipped(snapshotId, [...paths]);
      store.snapshots.addSkipped(snapshotId, [...skipped, ...changes.skipped]);
    });
    const files = toUpdate(changes);
    options.onSearchable?.(files);
    const work = this.#planGraphWork(index, changes);
    let forNow: readonly number[] = [];
    if (work?.changed === null) {
      forNow = await this.#encodeTemporarily(index, files.changed, signal);
      options.onWholeGraph?.({ ...files, chunksEncoded: forNow.length });
      await pause(SEARCH_PAUSE_MS, signal, 'Indexing');
    }
    if (work) await this.#resolve(index, work, signal);
    return { ...files, chunksEncoded: await this.#encodeRemaining(index, signal, forNow) };
  }

  /** Replaces what the snapshot has at these paths by these entries. */
  async #updateFiles(
    index: RepositoryIndex,
    paths: Iterable<string>,
    entries: readonly SourceEntry[],
    signal: AbortSignal | undefined,
    onFile: () => void,
    about?: string,
  ): Promise<FileChanges> {
    const { store, tree, pool, parserOf, batchFiles } = this.#context;
    const parts = { store, tree, index, pool, parserOf, batchFiles, about, signal, onFile };
    const stage = new FileStage(parts);
    const present = new Set(entries.map((entry) => entry.path));
    stage.remove([...paths].filter((path) => !present.has(path)));
    await stage.update(entries);
    return stage.changes;
  }

  /**
   * Drops the resolver if it has missed changes. A graph that is dirty at this point shows that a run stopped early or that
   * another process has written. Call before the files are updated.
   */
  #discardStaleResolver(index: RepositoryIndex): void {
    const { graphDirty } = this.#context.store.snapshots.getState(index.snapshotId);
    if (graphDirty || this.#resolverIndex !== index) this.#resolver = null;
  }

  /** Returns the files to resolve: the changed ones, or all if there is no resolver. Returns null if the graph is current. */
  #planGraphWork(
    index: RepositoryIndex,
    { parsed, reused, removed }: FileChanges,
  ): GraphWork | null {
    const { store, newResolver } = this.#context;
    if (!store.snapshots.getState(index.snapshotId).graphDirty) return null;
    return this.#resolver
      ? { resolver: this.#resolver, changed: [...parsed, ...reused, ...removed] }
      : { resolver: newResolver(), changed: null, yieldsTo: this.#context.searches };
  }

  async #resolve(
    index: RepositoryIndex,
    { resolver, changed, yieldsTo }: GraphWork,
    signal: AbortSignal | undefined,
    onFile: () => void = () => {},
  ): Promise<void> {
    const { store, batchFiles } = this.#context;
    // If it stops early, the resolver knows changes whose edges were not stored, so it must not be used again.
    this.#resolver = null;
    const parts = { store, index, resolver, batchFiles, signal, yieldsTo, onFile };
    await resolveGraph(parts, changed);
    this.#resolver = resolver;
    this.#resolverIndex = index;
  }

  /**
   * Encodes the chunks of changed files in memory until the graph has their calls, unless there are many. Returns their slots.
   * @throws LocusError `cancelled`
   */
  async #encodeTemporarily(
    index: RepositoryIndex,
    paths: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const slots = paths
      .flatMap((path) => index.getSlotsByPath(path))
      .filter((slot) => index.getChunk(slot).kind !== 'section');
    if (slots.length === 0 || slots.length > MAX_TEMPORARY_CHUNKS) return [];
    try {
      const encoder = await this.#context.encoder;
      await encodeTemporarily({ store: this.#context.store, index, encoder }, slots);
      return slots;
    } catch {
      throwIfCancelled(signal, 'Indexing');
      return []; // They are encoded again after the graph. If that fails too, the update fails.
    }
  }

  /**
   * Encodes the chunks that have no stored embedding. Writes nothing if there are none, since other processes would reload the
   * index.
   */
  async #encodeRemaining(
    index: RepositoryIndex,
    signal: AbortSignal | undefined,
    forNow: readonly number[] = [],
  ): Promise<number> {
    const { snapshots } = this.#context.store;
    const slots = [...new Set([...forNow, ...listUnencoded(index)])];
    const chunksEncoded = await this.#encode(index, slots, signal, () => {});
    if (!snapshots.getState(index.snapshotId).complete) snapshots.markComplete(index.snapshotId);
    return chunksEncoded;
  }

  async #encode(
    index: RepositoryIndex,
    slots: readonly number[],
    signal: AbortSignal | undefined,
    advance: (count: number) => void,
  ): Promise<number> {
    if (slots.length === 0) return 0;
    const { store } = this.#context;
    const encoder = await this.#context.encoder;
    return encodeChunks({ store, index, encoder, signal, onChunks: advance }, slots);
  }

  /** Runs the stages after the listing, while the history is read. */
  async #runStages(
    index: RepositoryIndex,
    listing: SourceListing,
    history: BackgroundHistory,
    { signal, follow, about, meter, onParsed }: StageOptions,
  ): Promise<{ changes: FileChanges; chunksEncoded: number; historyNotes: string[] }> {
    const { store, pool } = this.#context;
    const { snapshotId } = index;
    const changes = await meter('parse', listing.entries.length, (advance) => {
      let left = PARSED_BEFORE_HISTORY * listing.entries.length;
      const onFile = () => {
        advance();
        if (--left < 0) history.start();
      };
      const paths = index.getAllPaths();
      return this.#updateFiles(index, paths, listing.entries, signal, onFile, about);
    });
    history.start();
    store.transaction(() => {
      store.snapshots.setSkipped(snapshotId, [...listing.skipped, ...changes.skipped]);
      store.snapshots.setUnread(snapshotId, listing.unsupported);
    });
    // The next stages need the memory of the parsers. An edit loads one again.
    await pool.stopIdleThreads();
    onParsed(changes);
    const following = (follow && this.#shouldKeepResolver(index)) || this.#resolver !== null;
    const chunksEncoded = await this.#updateGraphAndEncode(index, changes, following, {
      signal,
      meter,
    });
    return { changes, chunksEncoded, historyNotes: await history.finish(meter) };
  }

  async #updateGraphAndEncode(
    index: RepositoryIndex,
    changes: FileChanges,
    follow: boolean,
    { signal, meter }: Pick<StageOptions, 'signal' | 'meter'>,
  ): Promise<number> {
    const { store } = this.#context;
    const linkedAll = await this.#updateGraph(index, changes, { signal, follow }, meter);
    // The resolver had the facts of all files, which take more memory than encoding. If the resolver stays, a collection takes too long.
    if (linkedAll && !follow && index.liveCount > MIN_CHUNKS_TO_FREE) freeMemory();
    const slots = listUnencoded(index);
    const chunksEncoded = await meter('encode', slots.length, (advance) =>
      this.#encode(index, slots, signal, advance),
    );
    store.transaction(() => store.snapshots.markComplete(index.snapshotId));
    return chunksEncoded;
  }

  /**
   * Updates the graph. This is a separate method so that nothing refers to the resolver afterwards.
   * @returns true if all files were resolved
   */
  async #updateGraph(
    index: RepositoryIndex,
    changes: FileChanges,
    { signal, follow }: IndexRunOptions,
    meter: PhaseRunner,
  ): Promise<boolean> {
    const work = this.#planGraphWork(index, changes);
    if (!work) return false;
    await meter('graph', index.getAllPaths().length, (advance) =>
      this.#resolve(index, work, signal, advance),
    );
    if (!follow) this.#resolver = null;
    return work.changed === null;
  }

  #createMeter(
    phases: Partial<Record<IndexPhase, number>>,
    report: (progress: IndexProgress) => void,
  ): PhaseRunner {
    return async (phase, total, work) => {
      const meter = new PhaseMeter(phase, total, report);
      const result = await work((by) => meter.advance(by));
      phases[phase] = meter.finish();
      return result;
    };
  }
}

interface StageOptions extends Pick<IndexRunOptions, 'signal' | 'follow' | 'about'> {
  meter: PhaseRunner;
  /** Called when all files are searchable. */
  onParsed: (changes: FileChanges) => void;
}

/** Files to resolve, null for all, and a resolver that knows the other files. */
interface GraphWork {
  resolver: CallResolver;
  changed: readonly string[] | null;
  yieldsTo?: PriorityGate | undefined;
}

function toUpdate(changes: FileChanges): Omit<UpdateResult, 'chunksEncoded'> {
  return { changed: [...changes.parsed, ...changes.reused], removed: changes.removed };
}
