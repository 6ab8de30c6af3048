import type { RightOfWay } from '../../base/right-of-way.ts';
import { LocusError } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import { present } from '../../shared/present.ts';
import { quoted } from '../../shared/quoted.ts';
import { Pacer } from '../event-loop/pacer.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from '../graph/types.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import type { FactsReader } from './facts-reader.ts';

/** A transaction takes some hundredths of a second: of so many files at most, and of so many callers. */
const BATCH_FILES = 256;
const BATCH_CALLERS = 1000;

export interface GraphStageParts {
  store: Store;
  index: RepositoryIndex;
  resolver: CallResolver;
  facts: FactsReader;
  /** How many files are stored in one transaction at most; as many as is fast when left out. */
  batchFiles?: number;
  signal?: AbortSignal;
  /** What goes before, where nobody waits for the graph. */
  yieldsTo?: RightOfWay | undefined;
  onFile: () => void;
}

/**
 * Resolves the references of the changed files and of all files that they bear on, and stores the edges
 * that came out differently. Null for the changed files stands for all, with a resolver that knows none yet. A chunk
 * whose callees changed loses its embedding: it is encoded with them. A file that is too much for the resolver, or on
 * which it fails, is noted; the others go on.
 *
 * Memory follows the store, never the other way round: cut short anywhere, both hold the same, and the
 * snapshot's graph is dirty unless nothing was written.
 */
export async function resolveGraph(
  parts: GraphStageParts,
  changedPaths: readonly string[] | null,
): Promise<void> {
  using _facts = { [Symbol.dispose]: () => parts.facts.forget() };
  const { store, index, batchFiles = BATCH_FILES } = parts;
  const pacer = new Pacer(parts.signal, parts.yieldsTo);
  const failures = new Map<string, string>();
  const touched = await loadFacts(parts, changedPaths ?? index.allPaths(), pacer, failures);
  const affected = [...touched].filter((path) => index.file(path));
  const notes = new Map<string, string | null>();
  for (let start = 0; start < affected.length; start += batchFiles) {
    const callers: ResolvedCaller[] = [];
    for (const path of affected.slice(start, start + batchFiles)) {
      const { edges, note } = await resolveFile(parts, path, pacer);
      notes.set(path, failures.get(path) ?? note);
      for (const caller of byCaller(index, path, edges)) callers.push(caller);
      parts.onFile();
      await pacer.yieldIfDue();
    }
    while (callers.length > 0) {
      putEdges(store, index, callers.splice(0, BATCH_CALLERS));
      await pacer.yieldIfDue();
    }
  }
  store.transaction(() => {
    if (!changedPaths) store.edges.removeStrays(index.snapshotId);
    store.graphNotes.put(index.snapshotId, notes);
    store.snapshots.markResolved(index.snapshotId);
  });
}

interface ResolvedCaller {
  caller: number;
  edges: ResolvedEdge[];
}

function byCaller(index: RepositoryIndex, path: string, edges: ResolvedEdge[]): ResolvedCaller[] {
  const grouped = Map.groupBy(edges, (edge) => edge.caller);
  return index.slotsByPath(path).map((slot) => {
    const caller = index.chunk(slot).id;
    return { caller, edges: grouped.get(caller) ?? [] };
  });
}

function putEdges(store: Store, index: RepositoryIndex, resolved: readonly ResolvedCaller[]): void {
  const { snapshotId } = index;
  const callers = resolved.map(({ caller }) => caller);
  const edges = resolved.flatMap((one) => one.edges);
  const different = store.transaction(() => {
    const changed = store.edges.replace(snapshotId, callers, edges);
    if (changed.length === 0) return changed;
    store.snapshots.markDirty(snapshotId);
    store.embeddings.unlink(snapshotId, changed);
    return changed;
  });
  index.replaceEdges(callers, edges);
  for (const caller of different) index.removeVector(caller);
}

/** A file's edges, and what a person should know about them. */
async function resolveFile(
  { index, resolver, facts }: GraphStageParts,
  path: string,
  pacer: Pacer,
): Promise<{ edges: ResolvedEdge[]; note: string | null }> {
  // What the store fails at is no matter of this file: the facts are read before errors are caught.
  const { manifest } = facts.read(present(index.file(path), `the indexed file ${path}`).versionId);
  if (manifest?.problem) return { edges: [], note: manifestNote(path, manifest.problem) };
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
async function loadFacts(
  { facts, index, resolver }: GraphStageParts,
  paths: Iterable<string>,
  pacer: Pacer,
  failures: Map<string, string>,
): Promise<Set<string>> {
  for (const path of paths) {
    const file = graphFile(facts, index, path);
    try {
      resolver.put(path, file);
    } catch (error) {
      failures.set(path, failureNote(path, error));
      resolver.put(path, null);
    }
    await pacer.yieldIfDue();
  }
  return pacer.run(resolver.affected());
}

function cutNote(path: string, steps: number): string {
  return `The call graph of ${quoted(path)} was cut short after ${grouped(steps)} steps: some of its calls lead nowhere.`;
}

function manifestNote(path: string, problem: string): string {
  return `${quoted(path)} cannot be taken at its word (${quoted(problem)}): what it says of modules is guessed from paths.`;
}

function failureNote(path: string, error: unknown): string {
  return `The calls in ${quoted(path)} could not be resolved, which is a defect: ${quoted(String(error))}`;
}

function graphFile(facts: FactsReader, index: RepositoryIndex, path: string): GraphFile | null {
  const file = index.file(path);
  if (!file) return null;
  const first = file.slots[0] ?? 0;
  const chunks = file.slots.map((slot) => {
    const { qualifiedName, ordinal, name, kind, parent } = index.chunk(slot);
    return { qualifiedName, ordinal, name, kind, parent: parent < 0 ? -1 : parent - first };
  });
  return {
    path,
    chunkIds: file.slots.map((slot) => index.chunk(slot).id),
    chunks,
    facts: facts.of(file.versionId),
  };
}
