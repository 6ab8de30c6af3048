import type { WatchUpdate } from '../../shared/protocol.ts';
import type { IndexPhase, IndexProgress, IndexReport } from '../../shared/types.ts';
import type { Encoder } from '../encode/types.ts';
import type { CallResolver } from '../graph/types.ts';
import type { ParserPool } from '../parse/pool.ts';
import { GitFailure } from '../scan/git.ts';
import type { SourceEntry, SourceTree } from '../scan/types.ts';
import type { Store } from '../store/store.ts';
import { encodeChunks, unencoded } from './encode-stage.ts';
import { FactsReader } from './facts-reader.ts';
import { type FileChanges, FileStage } from './file-stage.ts';
import { loadFacts, resolveGraph } from './graph-stage.ts';
import { linkHistory, MAX_COMMITS, pendingHistory } from './history-stage.ts';
import { PhaseMeter } from './progress.ts';
import type { RepositoryIndex } from './repository-index.ts';

export interface IndexerParts {
  store: Store;
  snapshotId: number;
  tree: SourceTree;
  accepts: (path: string) => boolean;
  parserOf: (path: string) => string;
  pool: ParserPool;
  encoder: Promise<Encoder>;
  newResolver: () => CallResolver;
}

export interface IndexRunOptions {
  onProgress?: (progress: IndexProgress) => void;
  signal?: AbortSignal;
}

/** What an update did; the parts of a `WatchUpdate` that are not times. */
export type UpdateResult = Pick<WatchUpdate, 'changed' | 'removed' | 'chunksEncoded'>;

/** Keeps one snapshot's index equal to its source tree: in full, or for the paths that are known to have changed. */
export class Indexer {
  readonly #parts: IndexerParts;
  readonly #facts: FactsReader;
  /** Holds the facts of all files once there has been an edit; until then the stored edges are enough. */
  #resolver: CallResolver | null = null;
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
    options: IndexRunOptions = {},
  ): Promise<IndexReport & UpdateResult> {
    const { store, snapshotId } = this.#parts;
    const start = performance.now();
    const seconds: IndexReport['seconds'] = { firstSearch: 0, total: 0, phases: {} };
    const meter = this.#meters(seconds.phases, options.onProgress ?? (() => {}));

    const listing = await meter('scan', 0, () =>
      this.#parts.tree.list(this.#parts.accepts, undefined, options.signal),
    );
    const changes = await meter('parse', listing.entries.length, (advance) =>
      this.#bringFilesIn(index, listing.entries, options.signal, advance),
    );
    store.transaction(() =>
      store.snapshots.setSkipped(snapshotId, [...listing.skipped, ...changes.skipped]),
    );
    seconds.firstSearch = (performance.now() - start) / 1000;

    await this.#resolve(index, changes, options, meter);
    const slots = unencoded(index);
    const chunksEncoded = await meter('encode', slots.length, (advance) =>
      this.#encode(index, slots, options.signal, advance),
    );
    store.transaction(() => store.snapshots.markComplete(snapshotId));
    const historyNotes = await this.#linkHistory(index, options.signal, meter);
    if (changes.removed.length + changes.parsed.length > 0) store.collectGarbage();

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
      notes: [...store.notes, ...(encoder.fallback ? [encoder.fallback] : []), ...historyNotes],
    };
  }

  /** Loads what `update` needs, so that the first edit is not the one that waits for it. */
  async prepareUpdates(index: RepositoryIndex, signal?: AbortSignal): Promise<void> {
    this.#parts.pool.warm();
    if (this.#resolver && this.#resolverIndex === index) return;
    const resolver = this.#parts.newResolver();
    await loadFacts(this.#facts, index, resolver, index.paths(), signal);
    this.#facts.forget();
    this.#resolver = resolver;
    this.#resolverIndex = index;
  }

  /**
   * Brings these paths up to date, whether they changed, appeared or are gone; `onSearchable` is called when
   * search reflects their text, before graph and embeddings are complete again.
   */
  async update(
    index: RepositoryIndex,
    paths: ReadonlySet<string>,
    signal?: AbortSignal,
    onSearchable: () => void = () => {},
  ): Promise<UpdateResult> {
    const { store, snapshotId, tree, accepts } = this.#parts;
    // Listing, rather than reading the paths as they are, tells which of them are ignored or gone.
    const { entries, skipped } = await tree.list(accepts, paths, signal);
    const present = new Set(entries.map((entry) => entry.path));
    const stage = this.#fileStage(index, signal, () => {});
    stage.remove([...paths].filter((path) => !present.has(path)));
    await stage.bringIn(entries);
    const { changes } = stage;
    store.transaction(() => {
      store.snapshots.removeSkipped(snapshotId, [...paths]);
      store.snapshots.addSkipped(snapshotId, [...skipped, ...changes.skipped]);
    });
    onSearchable();
    await this.#resolve(index, changes, { signal });
    const chunksEncoded = await this.#encode(index, unencoded(index), signal, () => {});
    store.transaction(() => store.snapshots.markComplete(snapshotId));
    return { ...asUpdate(changes), chunksEncoded };
  }

  async #bringFilesIn(
    index: RepositoryIndex,
    entries: readonly SourceEntry[],
    signal: AbortSignal | undefined,
    onFile: () => void,
  ): Promise<FileChanges> {
    const stage = this.#fileStage(index, signal, onFile);
    const present = new Set(entries.map((entry) => entry.path));
    stage.remove([...index.paths()].filter((path) => !present.has(path)));
    await stage.bringIn(entries);
    return stage.changes;
  }

  #fileStage(
    index: RepositoryIndex,
    signal: AbortSignal | undefined,
    onFile: () => void,
  ): FileStage {
    const { store, snapshotId, tree, pool, parserOf } = this.#parts;
    return new FileStage({ store, snapshotId, tree, index, pool, parserOf, signal, onFile });
  }

  async #resolve(
    index: RepositoryIndex,
    changes: FileChanges,
    options: IndexRunOptions,
    meter: Meter = plainMeter,
  ): Promise<void> {
    const { store, snapshotId } = this.#parts;
    let changed: Iterable<string> = [...changes.parsed, ...changes.linked, ...changes.removed];
    if (!this.#resolver || this.#resolverIndex !== index) {
      if (!store.snapshots.state(snapshotId).graphDirty) return;
      this.#resolver = this.#parts.newResolver();
      this.#resolverIndex = index;
      changed = index.paths();
    }
    const resolver = this.#resolver;
    await meter('graph', index.fileCount, (advance) =>
      resolveGraph(
        {
          store,
          snapshotId,
          index,
          resolver,
          facts: this.#facts,
          signal: options.signal,
          onFile: advance,
        },
        changed,
      ),
    );
  }

  async #encode(
    index: RepositoryIndex,
    slots: readonly number[],
    signal: AbortSignal | undefined,
    advance: (count: number) => void,
  ): Promise<number> {
    if (slots.length === 0) return 0;
    const { store, snapshotId } = this.#parts;
    const encoder = await this.#parts.encoder;
    return encodeChunks({ store, snapshotId, index, encoder, signal, onChunks: advance }, slots);
  }

  /** Ranking does without history where git cannot read it; the notes say why. */
  async #linkHistory(
    index: RepositoryIndex,
    signal: AbortSignal | undefined,
    meter: Meter,
  ): Promise<string[]> {
    const { store, snapshotId, tree } = this.#parts;
    const parts = { store, snapshotId, index, tree, signal };
    try {
      const pending = await pendingHistory(parts);
      if (!pending) return [];
      const total = Math.min(pending.hashes.length, MAX_COMMITS);
      await meter('history', total, (advance) => linkHistory(parts, pending, advance));
      return [];
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return [`Ranking does without the repository's history. ${error.message}`];
    }
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

function asUpdate(changes: FileChanges): Omit<UpdateResult, 'chunksEncoded'> {
  return { changed: [...changes.parsed, ...changes.linked], removed: changes.removed };
}

type Meter = <T>(
  phase: IndexPhase,
  total: number,
  work: (advance: (by?: number) => void) => Promise<T>,
) => Promise<T>;

const plainMeter: Meter = (_phase, _total, work) => work(() => {});
