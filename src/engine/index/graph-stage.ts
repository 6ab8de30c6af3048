import { LocusError } from '../../shared/errors.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from '../graph/types.ts';
import type { Store } from '../store/store.ts';
import type { FactsReader } from './facts-reader.ts';
import { Pacer } from './pacing.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** Callers whose edges are stored in one transaction: it takes some hundredths of a second. */
const BATCH_CALLERS = 1000;

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
 * A file that is too much for the resolver, or on which it fails, is noted; the others go on.
 */
export async function resolveGraph(
  parts: GraphStageParts,
  changedPaths: Iterable<string>,
): Promise<void> {
  const { store, snapshotId, index, resolver, facts } = parts;
  const pacer = new Pacer(parts.signal);
  const failures = new Map<string, string>();
  const touched = await loadFacts(facts, index, resolver, changedPaths, parts.signal, failures);
  const affected = [...touched].filter((path) => index.file(path));
  parts.onTotal?.(affected.length);
  const changes: CallerChange[] = [];
  const storeChanges = async (atMost: number) => {
    while (changes.length > atMost) {
      storeEdges(parts, changes.splice(0, BATCH_CALLERS));
      await pacer.breathe();
    }
  };
  const notes = new Map<string, string | null>();
  for (const path of affected) {
    const { edges, note } = await resolveFile(parts, path, pacer);
    notes.set(path, failures.get(path) ?? note);
    const ids = index.slotsByPath(path).map((slot) => index.chunks[slot]!.id);
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    for (const caller of index.replaceEdges(ids, edges))
      changes.push({ caller, edges: byCaller.get(caller) ?? [] });
    await storeChanges(BATCH_CALLERS);
    parts.onFile();
    await pacer.breathe();
  }
  await storeChanges(0);
  store.transaction(() => {
    store.graphNotes.put(snapshotId, notes);
    store.snapshots.markResolved(snapshotId);
  });
  facts.forget();
}

/** A caller whose edges are others than before. */
interface CallerChange {
  caller: number;
  edges: ResolvedEdge[];
}

function storeEdges(
  { store, snapshotId, index }: GraphStageParts,
  changes: readonly CallerChange[],
): void {
  const callers = changes.map(({ caller }) => caller);
  for (const caller of callers) index.removeVector(caller);
  store.transaction(() => {
    store.edges.replace(
      snapshotId,
      callers,
      changes.flatMap(({ edges }) => edges),
    );
    store.embeddings.unlink(snapshotId, callers);
  });
}

/** A file's edges, and what a person should know about them. */
async function resolveFile(
  { index, resolver, facts }: GraphStageParts,
  path: string,
  pacer: Pacer,
): Promise<{ edges: ResolvedEdge[]; note: string | null }> {
  // What the store fails at is no matter of this file: the facts are read before errors are caught.
  facts.read(index.file(path)!.versionId);
  try {
    const { edges, steps, cut } = await pacer.run(resolver.resolve(path));
    return { edges, note: cut ? cutNote(path, steps) : null };
  } catch (error) {
    if (error instanceof LocusError) throw error; // It was cancelled.
    return { edges: [], note: failureNote(path, error) };
  }
}

/**
 * Tells the resolver about these paths as they are now; returns the paths whose edges that may change. A file on which
 * the resolver fails is to it as if it were not there; `failures` says why, by path.
 */
export async function loadFacts(
  facts: FactsReader,
  index: RepositoryIndex,
  resolver: CallResolver,
  paths: Iterable<string>,
  signal?: AbortSignal,
  failures = new Map<string, string>(),
): Promise<Set<string>> {
  const pacer = new Pacer(signal);
  for (const path of paths) {
    const file = graphFile(facts, index, path);
    try {
      resolver.put(path, file);
    } catch (error) {
      failures.set(path, failureNote(path, error));
      resolver.put(path, null);
    }
    await pacer.breathe();
  }
  return pacer.run(resolver.affected());
}

function cutNote(path: string, steps: number): string {
  return `The call graph of ${path} was cut short after ${steps.toLocaleString('en')} steps: some of its calls lead nowhere.`;
}

function failureNote(path: string, error: unknown): string {
  return `The calls in ${path} could not be resolved, which is a defect: ${error}`;
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
