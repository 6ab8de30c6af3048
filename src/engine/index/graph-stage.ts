import type { CallResolver, GraphFile, ResolvedEdge } from '../graph/types.ts';
import type { Store } from '../store/store.ts';
import type { FactsReader } from './facts-reader.ts';
import { Pacer } from './pacing.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** Callers' edges are stored in transactions of about this many files. */
const BATCH_FILES = 256;

export interface GraphStageParts {
  store: Store;
  index: RepositoryIndex;
  resolver: CallResolver;
  facts: FactsReader;
  batchFiles?: number;
  signal?: AbortSignal;
  /** Called for each file whose references were resolved, of `total`. */
  onFile: () => void;
  onTotal?: (total: number) => void;
}

/**
 * Resolves the references of the changed files and of all files that they bear on, and stores the edges
 * that came out differently. Null for the changed files stands for all, with a resolver that knows none yet. A chunk whose callees changed loses its embedding: it is encoded with them.
 *
 * Memory follows the store, never the other way round: cut short anywhere, both hold the same, and the
 * snapshot's graph is dirty unless nothing was written.
 */
export async function resolveGraph(
  parts: GraphStageParts,
  changedPaths: readonly string[] | null,
): Promise<void> {
  try {
    await resolveAndStore(parts, changedPaths);
  } finally {
    parts.facts.forget();
  }
}

async function resolveAndStore(
  parts: GraphStageParts,
  changedPaths: readonly string[] | null,
): Promise<void> {
  const { store, index, resolver, facts, batchFiles = BATCH_FILES } = parts;
  const pacer = new Pacer(parts.signal);
  const paths = changedPaths ?? index.paths();
  const touched = await loadFacts(facts, index, resolver, paths, parts.signal);
  const affected = [...touched].filter((path) => index.file(path));
  parts.onTotal?.(affected.length);
  for (let start = 0; start < affected.length; start += batchFiles) {
    const resolved: ResolvedFile[] = [];
    for (const path of affected.slice(start, start + batchFiles)) {
      const callers = index.slotsByPath(path).map((slot) => index.chunks[slot]!.id);
      resolved.push({ callers, edges: resolver.resolve(path) });
      parts.onFile();
      await pacer.breathe();
    }
    putEdges(store, index, resolved);
  }
  store.transaction(() => {
    if (!changedPaths) store.edges.removeStrays(index.snapshotId);
    store.snapshots.markResolved(index.snapshotId);
  });
}

/** A file's chunks, and all edges that leave them. */
interface ResolvedFile {
  callers: number[];
  edges: ResolvedEdge[];
}

function putEdges(store: Store, index: RepositoryIndex, resolved: readonly ResolvedFile[]): void {
  const { snapshotId } = index;
  const different = store.transaction(() => {
    const changed = resolved.flatMap(({ callers, edges }) =>
      store.edges.replace(snapshotId, callers, edges),
    );
    if (changed.length === 0) return changed;
    store.snapshots.markDirty(snapshotId);
    store.embeddings.unlink(snapshotId, changed);
    return changed;
  });
  for (const { callers, edges } of resolved) index.replaceEdges(callers, edges);
  for (const caller of different) index.removeVector(caller);
}

/** Tells the resolver about these paths as they are now; returns the paths whose edges that may change. */
async function loadFacts(
  facts: FactsReader,
  index: RepositoryIndex,
  resolver: CallResolver,
  paths: Iterable<string>,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const pacer = new Pacer(signal);
  const files = new Map<string, GraphFile | null>();
  for (const path of paths) {
    files.set(path, graphFile(facts, index, path));
    await pacer.breathe();
  }
  return resolver.update(files);
}

function graphFile(facts: FactsReader, index: RepositoryIndex, path: string): GraphFile | null {
  const file = index.file(path);
  if (!file) return null;
  const first = file.slots[0] ?? 0;
  const chunks = file.slots.map((slot) => {
    const { qualifiedName, ordinal, name, kind, parent } = index.chunks[slot]!;
    return { qualifiedName, ordinal, name, kind, parent: parent < 0 ? -1 : parent - first };
  });
  return {
    path,
    chunkIds: file.slots.map((slot) => index.chunks[slot]!.id),
    chunks,
    facts: facts.of(file.versionId),
  };
}
