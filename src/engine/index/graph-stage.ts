import type { CallResolver, GraphFile, ResolvedEdge } from '../graph/types.ts';
import type { Store } from '../store/store.ts';
import type { FactsReader } from './facts-reader.ts';
import { Pacer } from './pacing.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** Callers' edges are stored in transactions of about this many files. */
const BATCH_FILES = 256;

export interface GraphStageParts {
  store: Store;
  snapshotId: number;
  index: RepositoryIndex;
  resolver: CallResolver;
  facts: FactsReader;
  signal?: AbortSignal;
  /** Called for each file whose references were resolved, of `total`. */
  onFile: () => void;
  onTotal?: (total: number) => void;
}

/**
 * Resolves the references of the changed files and of all files that they bear on, and stores the edges
 * that came out differently. A chunk whose callees changed loses its embedding: it is encoded with them.
 */
export async function resolveGraph(
  parts: GraphStageParts,
  changedPaths: Iterable<string>,
): Promise<void> {
  const { store, snapshotId, index, resolver, facts } = parts;
  const pacer = new Pacer(parts.signal);
  const touched = await loadFacts(facts, index, resolver, changedPaths, parts.signal);
  const affected = [...touched].filter((path) => index.file(path));
  parts.onTotal?.(affected.length);
  for (let start = 0; start < affected.length; start += BATCH_FILES) {
    const callers: number[] = [];
    const edges: ResolvedEdge[] = [];
    for (const path of affected.slice(start, start + BATCH_FILES)) {
      const ofFile = resolver.resolve(path);
      const ids = index.slotsByPath(path).map((slot) => index.chunks[slot]!.id);
      const different = new Set(index.replaceEdges(ids, ofFile));
      callers.push(...different);
      edges.push(...ofFile.filter((edge) => different.has(edge.caller)));
      parts.onFile();
      await pacer.breathe();
    }
    for (const caller of callers) index.removeVector(caller);
    store.transaction(() => {
      store.edges.replace(snapshotId, callers, edges);
      store.embeddings.unlink(snapshotId, callers);
    });
  }
  store.transaction(() => store.snapshots.markResolved(snapshotId));
  facts.forget();
}

/** Tells the resolver about these paths as they are now; returns the paths whose edges that may change. */
export async function loadFacts(
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
