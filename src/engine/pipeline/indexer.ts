import { pause, throwIfCancelled } from '../../base/cancel.ts';
import { ignoring } from '../../base/log.ts';
import { type Meter, PhaseMeter } from '../../base/progress.ts';
import type { RightOfWay } from '../../base/right-of-way.ts';
import type { IndexPhase, IndexProgress, IndexReport, WatchUpdate } from '../../shared/indexing.ts';
import type { IndexOptions } from '../../shared/repository.ts';
import type { Encoder } from '../encode/types.ts';
import { freeMemory } from '../event-loop/free-memory.ts';
import type { CallResolver } from '../graph/types.ts';
import type { ParserPool } from '../parse/pool.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { SourceEntry, SourceListing, SourceTree } from '../source/types.ts';
import type { Store } from '../store/store.ts';
import { encodeChunks, encodeForNow, unencoded } from './encode-stage.ts';
import { FactsReader } from './facts-reader.ts';
import { type FileChanges, FileStage } from './file-stage.ts';
import { resolveGraph } from './graph-stage.ts';
import { HistoryBeside } from './history-beside.ts';

export interface IndexerParts {
  store: Store;
  tree: SourceTree;
  accepts: (path: string) => boolean;
  parserOf: (path: string) => string;
  pool: Pick<ParserPool, 'parse' | 'warm' | 'rest' | 'size'>;
  encoder: Promise<Encoder>;
  newResolver: () => CallResolver;
  /** How many files are stored in one transaction at most; as many as is fast when left out. */
  batchFiles?: number;
  /** Searches, which preparations for edits rest for. */
  searches?: RightOfWay;
  /** A repository with more chunks has its graph resolved once an edit has come, not before. */
  readyChunks?: number | undefined;
}

export interface IndexRunOptions extends IndexOptions {
  /** True if edits are expected: what the graph was resolved with stays in memory, unless it takes much. */
  follow?: boolean;
}

export interface UpdateOptions {
  signal?: AbortSignal;
  /** Called with the files when search reflects their text, before graph and embeddings are complete again. */
  onSearchable?: (files: Pick<WatchUpdate, 'changed' | 'removed'>) => void;
  /** Called after that where an update takes long, since the whole graph is to be resolved; with what is encoded by then. */
  onWholeGraph?: (update: UpdateResult) => void;
}

/** Chunks of a repository whose graph is kept ready for an edit, which may not come: that takes 1.5 MB for a thousand of them. */
const READY_CHUNKS = 50_000;

/** More new files take longer to parse than a model takes to load again. */
const MANY_FILES = 1_000;

/**
 * Of the files to parse, after which the history is begun to be read. Later, it would be what is left alone at the end; earlier,
 * it takes from parsing the processors that stages of one thread leave idle.
 */
const PARSED_BEFORE_HISTORY = 0.5;

/** Milliseconds for those who are told of an edit to search and look at it, before the whole graph keeps this thread busy. */
const LULL = 250;
/** Of a file whose beginning is parsed, to be ready for others; and UTF-16 units of that. */
const [SAMPLE_CHUNKS, SAMPLE_UNITS] = [5, 600];
/** As many changed chunks are encoded before the whole graph is resolved: they take a bag encoder ten milliseconds. */
const FEW_CHUNKS = 128;

/** What an update did; the parts of a `WatchUpdate` that are not times. */
export type UpdateResult = Pick<WatchUpdate, 'changed' | 'removed' | 'chunksEncoded'>;

/** Keeps one snapshot's index equal to its source tree: in full, or for the paths that are known to have changed. */
export class Indexer {
  readonly #parts: IndexerParts;
  readonly #facts: FactsReader;
  /** Knows the facts of all files, and what each one's edges came from; null until an edit is expected. */
  #resolver: CallResolver | null = null;
  /** Whose files those are. */
  #resolverIndex: RepositoryIndex | null = null;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#facts = new FactsReader(parts.store);
  }

  /**
   * Brings everything up to date. Searches may run meanwhile: they see each stage's work as it is stored.
   * @throws LocusError `cancelled` when the signal aborts; what is stored by then stays and is not done again.
   */
  async run(
    index: RepositoryIndex,
    options: IndexRunOptions & UpdateOptions = {},
  ): Promise<IndexReport & UpdateResult> {
    const { store } = this.#parts;
    const { snapshotId } = index;
    const start = performance.now();
    const seconds: IndexReport['seconds'] = { firstSearch: 0, total: 0, phases: {} };
    const meter = this.#meters(seconds.phases, options.onProgress ?? (() => {}));

    this.#trustResolver(index);
    const listing = await meter('scan', 0, () =>
      this.#parts.tree.list(this.#parts.accepts, undefined, options.signal),
    );
    // Parsing takes its memory before anything is to be encoded.
    if (listing.entries.length - index.fileCount > MANY_FILES)
      this.#parts.encoder.then((encoder) => encoder.rest()).catch(ignoring('release-memory'));
    store.snapshots.setAttributes(snapshotId, listing.attributes);
    index.declare(listing.attributes);
    const { tree } = this.#parts;
    const history = new HistoryBeside({ store, index, tree, signal: options.signal });
    const onParsed = (changes: FileChanges) => {
      seconds.firstSearch = (performance.now() - start) / 1000;
      options.onSearchable?.(asUpdate(changes));
    };
    const { changes, chunksEncoded, historyNotes } = await this.#stages(index, listing, history, {
      ...options,
      meter,
      onParsed,
    }).finally(() => history.stop());
    if (changes.removed.length + changes.parsed.length > 0) store.collectGarbage();
    store.returnFreeSpace();

    seconds.total = (performance.now() - start) / 1000;
    const encoder = await this.#parts.encoder;
    return {
      ...asUpdate(changes),
      files: index.fileCount,
      chunks: index.live,
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
        ...(tree.notes?.() ?? []),
        ...changes.notes,
        ...(encoder.fallback ? [encoder.fallback] : []),
        ...store.graphNotes.of(snapshotId),
        ...historyNotes,
      ],
    };
  }

  /** Has what the files are mostly written in loaded by the time of the first edit. */
  warm(index: RepositoryIndex): void {
    void this.#parts.pool.warm(index.allPaths(), (path) => this.#sample(index, path));
  }

  /** How a file begins, in the language of another one. */
  #sample(index: RepositoryIndex, like: string): string {
    const { store, parserOf } = this.#parts;
    const parser = parserOf(like);
    const hasSome = (path: string) => index.slotsByPath(path).length >= SAMPLE_CHUNKS;
    const path = index.allPaths().find((one) => parserOf(one) === parser && hasSome(one));
    const file = index.file(path ?? like);
    return file ? store.versions.content(file.versionId).slice(0, SAMPLE_UNITS) : '';
  }

  /**
   * Resolves the whole graph, unless that was done since the index was loaded, or it takes much memory: only then is it known which files an
   * edit bears on, and the first edit need not wait for it. Writes nothing where the stored graph is what it should be.
   * @throws LocusError `cancelled` when the signal aborts; the next update that changes something does it then.
   */
  async prepareUpdates(index: RepositoryIndex, signal?: AbortSignal): Promise<void> {
    const { store, newResolver } = this.#parts;
    this.#trustResolver(index);
    // What another process has left unfinished is finished by a run; that keeps its resolver.
    const { complete } = store.snapshots.state(index.snapshotId);
    if (this.#resolver || !complete || !this.#isKeptReady(index)) return;
    const work = { resolver: newResolver(), changed: null, yieldsTo: this.#parts.searches };
    await this.#resolve(index, work, signal);
    await this.#complete(index, signal);
  }

  #isKeptReady(index: RepositoryIndex): boolean {
    return index.live <= (this.#parts.readyChunks ?? READY_CHUNKS);
  }

  /** Lets go of what edits need, for its memory; the next one that changes something resolves the whole graph. */
  async rest(): Promise<void> {
    this.#resolver = null;
    await this.#parts.pool.rest();
    freeMemory();
  }

  /**
   * Brings these paths up to date, whether they changed, appeared or are gone; all paths, where the last run of this
   * or another process did not finish.
   * @throws LocusError `cancelled`, as `run` does.
   */
  async update(
    index: RepositoryIndex,
    paths: ReadonlySet<string>,
    options: UpdateOptions = {},
  ): Promise<UpdateResult> {
    const { store, tree, accepts } = this.#parts;
    const { snapshotId } = index;
    const { signal } = options;
    if (!store.snapshots.state(snapshotId).complete) return this.run(index, options);
    this.#trustResolver(index);
    // Listing, rather than reading the paths as they are, tells which of them are ignored or gone.
    const { entries, skipped } = await tree.list(accepts, paths, signal);
    const changes = await this.#bringFilesIn(index, paths, entries, signal, () => {});
    store.transaction(() => {
      store.snapshots.removeSkipped(snapshotId, [...paths]);
      store.snapshots.addSkipped(snapshotId, [...skipped, ...changes.skipped]);
    });
    const files = asUpdate(changes);
    options.onSearchable?.(files);
    const work = this.#graphWork(index, changes);
    let forNow: readonly number[] = [];
    if (work?.changed === null) {
      forNow = await this.#encodeForNow(index, files.changed, signal);
      options.onWholeGraph?.({ ...files, chunksEncoded: forNow.length });
      await pause(LULL, signal, 'Indexing');
    }
    if (work) await this.#resolve(index, work, signal);
    return { ...files, chunksEncoded: await this.#complete(index, signal, forNow) };
  }

  /** Makes these entries all that the snapshot has of these paths. */
  async #bringFilesIn(
    index: RepositoryIndex,
    paths: Iterable<string>,
    entries: readonly SourceEntry[],
    signal: AbortSignal | undefined,
    onFile: () => void,
  ): Promise<FileChanges> {
    const { store, tree, pool, parserOf, batchFiles } = this.#parts;
    const parts = { store, tree, index, pool, parserOf, batchFiles, signal, onFile };
    const stage = new FileStage(parts);
    const present = new Set(entries.map((entry) => entry.path));
    stage.remove([...paths].filter((path) => !present.has(path)));
    await stage.bringIn(entries);
    return stage.changes;
  }

  /**
   * Lets go of a resolver that does not know all that happened to the files. A graph that is dirty before the files
   * are looked at says so: a run was cut short, or another process was at work. Call before the files change.
   */
  #trustResolver(index: RepositoryIndex): void {
    const { graphDirty } = this.#parts.store.snapshots.state(index.snapshotId);
    if (graphDirty || this.#resolverIndex !== index) this.#resolver = null;
  }

  /** What there is to resolve: the changes, or everything where no resolver knows the rest; null for nothing. */
  #graphWork(index: RepositoryIndex, { parsed, linked, removed }: FileChanges): GraphWork | null {
    const { store, newResolver } = this.#parts;
    if (!store.snapshots.state(index.snapshotId).graphDirty) return null;
    return this.#resolver
      ? { resolver: this.#resolver, changed: [...parsed, ...linked, ...removed] }
      : { resolver: newResolver(), changed: null, yieldsTo: this.#parts.searches };
  }

  async #resolve(
    index: RepositoryIndex,
    { resolver, changed, yieldsTo }: GraphWork,
    signal: AbortSignal | undefined,
    onFile: () => void = () => {},
  ): Promise<void> {
    const { store, batchFiles } = this.#parts;
    const facts = this.#facts;
    // Cut short, it would know of changes whose edges were not stored.
    this.#resolver = null;
    const parts = { store, index, resolver, facts, batchFiles, signal, yieldsTo, onFile };
    await resolveGraph(parts, changed);
    this.#resolver = resolver;
    this.#resolverIndex = index;
  }

  /**
   * Encodes the chunks of changed files, unless they are many, until the graph tells what they call; their slots.
   * @throws LocusError `cancelled`
   */
  async #encodeForNow(
    index: RepositoryIndex,
    paths: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const slots = paths.flatMap((path) => index.slotsByPath(path));
    if (slots.length === 0 || slots.length > FEW_CHUNKS) return [];
    try {
      const encoder = await this.#parts.encoder;
      await encodeForNow({ store: this.#parts.store, index, encoder }, slots);
      return slots;
    } catch {
      throwIfCancelled(signal, 'Indexing');
      return []; // They are encoded after the graph, and what fails there fails the update.
    }
  }

  /**
   * Encodes what lacks an embedding, or has one for now. Where there was nothing to do it writes nothing: others would take it
   * for news.
   */
  async #complete(
    index: RepositoryIndex,
    signal: AbortSignal | undefined,
    forNow: readonly number[] = [],
  ): Promise<number> {
    const { snapshots } = this.#parts.store;
    const slots = [...new Set([...forNow, ...unencoded(index)])];
    const chunksEncoded = await this.#encode(index, slots, signal, () => {});
    if (!snapshots.state(index.snapshotId).complete) snapshots.markComplete(index.snapshotId);
    return chunksEncoded;
  }

  async #encode(
    index: RepositoryIndex,
    slots: readonly number[],
    signal: AbortSignal | undefined,
    advance: (count: number) => void,
  ): Promise<number> {
    if (slots.length === 0) return 0;
    const { store } = this.#parts;
    const encoder = await this.#parts.encoder;
    return encodeChunks({ store, index, encoder, signal, onChunks: advance }, slots);
  }

  /** What comes after the listing, while the history is read. */
  async #stages(
    index: RepositoryIndex,
    listing: SourceListing,
    history: HistoryBeside,
    { signal, follow, meter, onParsed }: StageOptions,
  ): Promise<{ changes: FileChanges; chunksEncoded: number; historyNotes: string[] }> {
    const { store, pool } = this.#parts;
    const { snapshotId } = index;
    const changes = await meter('parse', listing.entries.length, (advance) => {
      let left = PARSED_BEFORE_HISTORY * listing.entries.length;
      return this.#bringFilesIn(index, index.allPaths(), listing.entries, signal, () => {
        advance();
        if (--left < 0) history.begin();
      });
    });
    history.begin();
    store.transaction(() => {
      store.snapshots.setSkipped(snapshotId, [...listing.skipped, ...changes.skipped]);
      store.snapshots.setUnread(snapshotId, listing.unread);
    });
    // What comes now needs the memory that they hold; an edit starts one again.
    await pool.rest();
    onParsed(changes);
    const following = (follow && this.#isKeptReady(index)) || this.#resolver !== null;
    const chunksEncoded = await this.#linkAndEncode(index, changes, following, { signal, meter });
    return { changes, chunksEncoded, historyNotes: await history.finish(meter) };
  }

  async #linkAndEncode(
    index: RepositoryIndex,
    changes: FileChanges,
    follow: boolean,
    { signal, meter }: Pick<StageOptions, 'signal' | 'meter'>,
  ): Promise<number> {
    const { store } = this.#parts;
    const linkedAll = await this.#link(index, changes, { signal, follow }, meter);
    // The facts of all files were in the resolver: more than what is encoded next takes. Where they stay, going through them takes too long.
    if (linkedAll && !follow) freeMemory();
    const slots = unencoded(index);
    const chunksEncoded = await meter('encode', slots.length, (advance) =>
      this.#encode(index, slots, signal, advance),
    );
    store.transaction(() => store.snapshots.markComplete(index.snapshotId));
    return chunksEncoded;
  }

  /**
   * Brings the graph up to date. A function of its own, so that nothing holds the resolver after it.
   * @returns whether all files were resolved
   */
  async #link(
    index: RepositoryIndex,
    changes: FileChanges,
    { signal, follow }: IndexRunOptions,
    meter: Meter,
  ): Promise<boolean> {
    const work = this.#graphWork(index, changes);
    if (!work) return false;
    await meter('graph', index.allPaths().length, (advance) =>
      this.#resolve(index, work, signal, advance),
    );
    if (!follow) this.#resolver = null;
    return work.changed === null;
  }

  #meters(
    phases: Partial<Record<IndexPhase, number>>,
    report: (progress: IndexProgress) => void,
  ): Meter {
    return async (phase, total, work) => {
      const meter = new PhaseMeter(phase, total, report);
      const result = await work((by) => meter.advance(by));
      phases[phase] = meter.finish();
      return result;
    };
  }
}

interface StageOptions extends Pick<IndexRunOptions, 'signal' | 'follow'> {
  meter: Meter;
  /** Called when all files are searchable. */
  onParsed: (changes: FileChanges) => void;
}

/** Files to resolve, with what knows the rest; null for all files. */
interface GraphWork {
  resolver: CallResolver;
  changed: readonly string[] | null;
  yieldsTo?: RightOfWay | undefined;
}

function asUpdate(changes: FileChanges): Omit<UpdateResult, 'chunksEncoded'> {
  return { changed: [...changes.parsed, ...changes.linked], removed: changes.removed };
}
