import { basename, resolve } from 'node:path';
import { type AnchorMatches, anchorsRequest } from '../shared/anchors.ts';
import { type Neighborhood, neighborsRequest } from '../shared/call-graph.ts';
import type { ChunkKind, ChunkSummary } from '../shared/chunk.ts';
import type { ChunkDetail, FileDetail } from '../shared/detail.ts';
import type { Device } from '../shared/devices.ts';
import { LocusError } from '../shared/errors.ts';
import { getOrAdd } from '../shared/get-or-add.ts';
import type { IndexReport, RepositoryStatus, SkippedFile } from '../shared/indexing.ts';
import { present } from '../shared/present.ts';
import type { Repository } from '../shared/repository.ts';
import {
  type PartialRanking,
  type Refinement,
  type SearchResponse,
  searchRequest,
} from '../shared/search.ts';
import { isLoss } from './encode/encoder.ts';
import { loadManifest, type Manifest } from './encode/manifest.ts';
import { sharedEncoder } from './encode/shared-encoder.ts';
import type { Encoder } from './encode/types.ts';
import { createResolver } from './graph/resolver.ts';
import { guard } from './guard.ts';
import { matchAnchors } from './inspect/anchors.ts';
import { chunkDetail } from './inspect/detail.ts';
import { fileDetail } from './inspect/file.ts';
import { findByName } from './inspect/find.ts';
import { neighborhood } from './inspect/neighborhood.ts';
import { readIssue } from './issue/issue.ts';
import { issueSyntaxes } from './issue/syntaxes.ts';
import { indexes, languageOf, parserOf } from './languages/index.ts';
import { ParserPool } from './parse/pool.ts';
import { Following } from './pipeline/following.ts';
import { Indexer, type IndexRunOptions } from './pipeline/indexer.ts';
import { encodeIssue } from './search/query-vectors.ts';
import { type ReadModelFolders, scorersOf } from './search/refine/scorers.ts';
import { SecondStep } from './search/refine/second-step.ts';
import { type Found, find, listOf } from './search/search.ts';
import { standingOf } from './search/standing.ts';
import { findChunk } from './snapshot/address.ts';
import { encoderDocument, modelKey } from './snapshot/encoder-document.ts';
import { LiveSnapshot } from './snapshot/live-snapshot.ts';
import type { RepositoryIndex } from './snapshot/repository-index.ts';
import { openTree } from './source/open.ts';
import type { SourceTree } from './source/types.ts';
import { watchTree } from './source/watch.ts';
import { DamagedIndex } from './store/damage.ts';
import { isReadOnly } from './store/read-only.ts';
import { indexPath, Store } from './store/store.ts';

export interface RepositoryOptions {
  /** The folder of a repository's index, given the repository's own without links. */
  indexFolder: (root: string) => string;
  modelFolder: string;
  /** The models of the second step, those that there are. */
  readModelFolders?: ReadModelFolders;
  /** A commit, branch or tag to index from git's object store; the working tree when left out. */
  revision?: string;
  device?: Device;
  /** Gitignore-style patterns of files to leave out. */
  exclude?: string[];
  /** A folder outside of which nothing is read, not even of a repository inside it; null is everywhere. */
  within?: string | null;
  /** Ends the opening. */
  signal?: AbortSignal;
  /** How many indexed commits of a repository stay in the store; 8 when left out. */
  commitsKept?: number;
  /** Write nothing, not even an index where there is none: what is indexed answers. */
  readOnly?: boolean;
}

/**
 * Opens a repository, any folder, or one commit; what was indexed of it before can be searched at once. An index that
 * may not be written to is read, as with `readOnly`: `index` then rejects with `read-only`, and all else works.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`, saying what to do about it.
 */
export async function openAt(root: string, options: RepositoryOptions): Promise<Repository> {
  const { modelFolder, readModelFolders = {}, device = 'auto', commitsKept } = options;
  const manifest = await loadManifest(modelFolder);
  const secondStep = await openSecondStep(readModelFolders, device);
  const tree = await openTree(resolve(root), {
    revision: options.revision,
    exclude: options.exclude,
    within: options.within,
    signal: options.signal,
  });
  /** What an opening that fails half-way closes, the last first. */
  const opened: { close(): unknown }[] = [tree];
  try {
    const directory = options.indexFolder(tree.root);
    const readOnly = options.readOnly || isReadOnly(indexPath(directory));
    const stored = openStored(
      tree.revision,
      manifest,
      (revision) => new Store(directory, commitsKept, readOnly ? { revision } : undefined),
    );
    const { store } = stored;
    opened.push(store);
    const encoder = sharedEncoder({ modelFolder, device });
    encoder.catch(() => {}); // Whoever awaits the encoder first is told; until then nobody has to listen.
    opened.push({ close: () => encoder.then((made) => made.close()).catch(() => {}) });
    const repository = new OpenedRepository(
      tree,
      stored,
      { manifest, encoder, secondStep },
      options,
    );
    return guard(repository, (error) => store.examine(error));
  } catch (error) {
    for (const one of opened.reverse()) await one.close();
    throw error;
  }
}

/** A model of the second step that is no use keeps nothing else from working. */
async function openSecondStep(folders: ReadModelFolders, device: Device): Promise<SecondStep> {
  try {
    return new SecondStep(await scorersOf(folders, device));
  } catch (error) {
    if (!(error instanceof LocusError)) throw error;
    return new SecondStep([], error.message);
  }
}

interface Models {
  manifest: Manifest;
  encoder: Promise<Encoder>;
  secondStep: SecondStep;
}

interface StoredSnapshot {
  store: Store;
  snapshot: LiveSnapshot;
}

/** The snapshot of this revision as far as it is stored. A store that turns out to be damaged gives way to a new one. */
function openStored(
  revision: string | null,
  { id, version, dimensions }: Manifest,
  openStore: (revision: string | null) => Store,
): StoredSnapshot {
  const open = (notes: string[]): StoredSnapshot => {
    const store = openStore(revision);
    store.notes.push(...notes);
    try {
      const model = { key: modelKey(id, version), dimensions };
      return { store, snapshot: new LiveSnapshot(store, revision, model) };
    } catch (error) {
      const failure = store.examine(error);
      store.close();
      throw failure;
    }
  };
  try {
    return open([]);
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    return open([error.message]);
  }
}

class OpenedRepository implements Repository {
  readonly #tree: SourceTree;
  readonly #store: Store;
  readonly #manifest: Manifest;
  readonly #encoder: Promise<Encoder>;
  readonly #secondStep: SecondStep;
  readonly #pool = new ParserPool();
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #exclude: string[];

  constructor(
    tree: SourceTree,
    { store, snapshot }: StoredSnapshot,
    { manifest, encoder, secondStep }: Models,
    options: RepositoryOptions,
  ) {
    this.#tree = tree;
    this.#store = store;
    this.#manifest = manifest;
    this.#encoder = encoder;
    this.#secondStep = secondStep;
    this.#exclude = options.exclude ?? [];
    this.#snapshot = snapshot;
    this.#indexer = new Indexer({
      store,
      tree,
      accepts: indexes,
      parserOf,
      pool: this.#pool,
      encoder,
      newResolver: createResolver,
    });
  }

  get #index(): RepositoryIndex {
    return this.#snapshot.index;
  }

  index(options: IndexRunOptions = {}): Promise<IndexReport> {
    return this.#snapshot.exclusively(options.signal, async (index) => {
      const {
        changed: _changed,
        removed: _removed,
        ...report
      } = await this.#indexer.run(index, options);
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
    const following = new Following(this.#snapshot, this.#indexer, signal);
    const reportUnlessAborted = (error: Error) => {
      if (!signal.aborted) onError(error);
    };
    await watchTree(this.#tree.root, {
      exclude: this.#exclude,
      accepts: indexes,
      signal,
      onError,
      // Only now can no change fall between the listing of the tree and the first event.
      onReady: () => {
        following.catchUp().catch(reportUnlessAborted);
      },
      onChange: (batch) => {
        following.apply(batch).then(onUpdate, reportUnlessAborted);
      },
    });
  }

  async search(
    request: Parameters<Repository['search']>[0],
    { onFirst, onStanding, signal }: Parameters<Repository['search']>[1] = {},
  ): Promise<SearchResponse> {
    const start = performance.now();
    const parsed = checked(searchRequest, request);
    if (parsed.repositories) throw onlyOne();
    const index = this.#index;
    const encoder = await this.#encoder;
    let loss: LocusError | null = null;
    const lose = (error: unknown) => {
      if (!isLoss(error)) throw error;
      loss = error;
      return null;
    };
    const read = readIssue(parsed.issue, issueSyntaxes(this.#index.languages()));
    const queryVectors =
      index.vectors.size > 0 ? await encodeIssue(encoder, read).catch(lose) : null;
    const found = find(index, queryVectors, parsed, { read });
    onStanding?.(standingOf(found, index));
    const partial = this.#partial(loss);
    const respond = (list: Found, refined: Refinement): SearchResponse => {
      const { issue, considered, confidence, results } = listOf(list);
      const { id, version } = this.#manifest;
      return {
        repository: this.#describe(),
        issue,
        model: { id, version, device: encoder.device, ranker: list.ranker },
        partial,
        considered,
        confidence: partial ? null : confidence,
        refined,
        tookMs: performance.now() - start,
        results,
      };
    };
    const plan = this.#secondStep.plan(found, partial !== null, parsed.refine);
    if ('refused' in plan) return respond(found, plan.refused);
    onFirst?.(respond(found, plan.pending));
    // Before anything is waited for: an edit may take a chunk away meanwhile.
    const heads = new Map<number, string>();
    const documents = plan.slots.map((slot) => encoderDocument(this.#store, index, slot, heads));
    const second = await this.#secondStep.refine(found, documents, parsed.refine, signal);
    return respond(second.found, second.refinement);
  }

  async show(chunk: string): Promise<ChunkDetail> {
    const encoder = await this.#encoder;
    // Not before the encoder is there: an edit may take the slot's chunk away while one waits.
    const slot = findChunk(this.#index, chunk);
    return chunkDetail(this.#index, this.#store, this.#index.snapshotId, encoder, slot);
  }

  async file(path: string): Promise<FileDetail> {
    return fileDetail(this.#index, this.#store, path);
  }

  async neighbors(request: Parameters<Repository['neighbors']>[0]): Promise<Neighborhood> {
    const options = checked(neighborsRequest, request);
    const slot = findChunk(this.#index, options.chunk);
    return neighborhood(this.#index, this.#store, this.#index.snapshotId, slot, options);
  }

  async resolveAnchors(
    anchors: Parameters<Repository['resolveAnchors']>[0],
  ): Promise<AnchorMatches[]> {
    return matchAnchors(
      this.#index,
      this.#store,
      this.#index.snapshotId,
      checked(anchorsRequest, anchors),
    );
  }

  async find(name: string, limit: number): Promise<ChunkSummary[]> {
    return findByName(this.#index, name, limit);
  }

  async status(): Promise<RepositoryStatus> {
    const state = this.#store.snapshots.state(this.#index.snapshotId);
    const skipped = Object.groupBy(
      this.#store.snapshots.skipped(this.#index.snapshotId),
      (file) => file.reason,
    );
    const { id, version } = this.#manifest;
    return {
      ...this.#describe(),
      chunksByKind: this.#countKinds(),
      edges: this.#index.edgeCount,
      guessedEdges: this.#index.guessedEdgeCount,
      embedded: this.#index.vectors.size,
      filesWithErrors: this.#store.snapshots.filesWithErrors(this.#index.snapshotId),
      languages: this.#countLanguages(),
      unread: this.#store.snapshots.unread(this.#index.snapshotId),
      packages: [...this.#index.packages.list],
      skipped: Object.fromEntries(
        Object.entries(skipped).map(([reason, files]) => [reason, files.length]),
      ),
      model: { id, version },
      readModels: this.#secondStep.models,
      databasePath: this.#store.path,
      databaseBytes: this.#store.bytes,
      state: state.complete ? 'complete' : this.#index.live > 0 ? 'partial' : 'empty',
      indexedAt: state.indexedAt,
      notes: this.#store.graphNotes.of(this.#index.snapshotId),
    };
  }

  async skipped(): Promise<SkippedFile[]> {
    return this.#store.snapshots.skipped(this.#index.snapshotId);
  }

  async close(): Promise<void> {
    await this.#snapshot.idle();
    await Promise.all([
      this.#pool.close(),
      this.#tree.close(),
      this.#secondStep.close(),
      this.#encoder.then(
        (encoder) => encoder.close(),
        () => {},
      ),
    ]);
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

  /** @param loss of the encoder, which the issue has no embedding for. */
  #partial(loss: LocusError | null): PartialRanking | null {
    const embedded = this.#index.vectors.size;
    const { live } = this.#index;
    if (loss) return { reason: `${loss.message}: the other signals rank`, chunks: live, embedded };
    const complete = this.#store.snapshots.state(this.#index.snapshotId).complete;
    if (complete && embedded === live) return null;
    const reason =
      live === 0
        ? 'nothing is indexed yet'
        : embedded < live
          ? 'not every function has an embedding yet: the other signals rank'
          : this.#snapshot.busy
            ? 'indexing is under way'
            : 'the last indexing run did not finish';
    return { reason, chunks: live, embedded };
  }

  #countLanguages(): RepositoryStatus['languages'] {
    const counts = new Map<string, RepositoryStatus['languages'][number]>();
    for (const path of this.#index.paths()) {
      const language = languageOf(path);
      if (!language) continue;
      const { name, title } = language;
      getOrAdd(counts, name, () => ({ name, title, files: 0 })).files++;
    }
    return [...counts.values()].sort((a, b) => b.files - a.files);
  }

  #countKinds(): Record<ChunkKind, number> {
    const counts: Record<ChunkKind, number> = { function: 0, method: 0, class: 0, module: 0 };
    for (const chunk of this.#index.chunks) if (chunk) counts[chunk.kind]++;
    return counts;
  }
}

const onlyOne = () =>
  new LocusError(
    'bad-input',
    'one repository is open, so that none can be chosen',
    'leave out the filter by repository',
  );

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
  const issue = present(result.error.issues[0], 'what a schema found');
  const field = issue.path.join('.') || 'the request';
  throw new LocusError('bad-input', `${field}: ${issue.message}`, 'correct it and try again');
}
