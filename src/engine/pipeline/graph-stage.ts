import type { PriorityGate } from '../../base/priority-gate.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { quoteText } from '../../shared/quote.ts';
import { Pacer } from '../event-loop/pacer.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from '../graph/types.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { withLazyReferences } from './lazy-references.ts';

/** Maximum number of files and callers in a transaction, which then takes some hundredths of a second. */
const BATCH_FILES = 256;
const BATCH_CALLERS = 1000;

export interface GraphStageContext {
  store: Store;
  index: RepositoryIndex;
  resolver: CallResolver;
  /** Maximum number of files in a transaction; 256 by default. */
  batchFiles?: number;
  signal?: AbortSignal;
  /** Work that has priority, if nobody waits for the graph. */
  yieldsTo?: PriorityGate | undefined;
  onFile: () => void;
}

/**
 * Resolves the references of the changed files and of all files that depend on them, and stores the edges that differ. Null for
 * the changed files means all files, with a new resolver. A chunk whose callees changed loses its embedding, since callees are
 * part of the encoder's input. If a file exceeds the resolver's limits or the resolver fails, a note is stored for it, and the
 * other files are resolved.
 *
 * Edges are stored before memory is updated. If the stage stops early, both are equal, and the snapshot's graph is dirty unless
 * nothing was written.
 */
export async function resolveGraph(
  context: GraphStageContext,
  changedPaths: readonly string[] | null,
): Promise<void> {
  const { store, index, batchFiles = BATCH_FILES } = context;
  const pacer = new Pacer(context.signal, context.yieldsTo);
  const failures = new Map<string, string>();
  const touched = await loadFacts(context, changedPaths ?? index.getAllPaths(), pacer, failures);
  const affected = [...touched].filter((path) => index.getFile(path));
  const notes = new Map<string, string | null>();
  for (let start = 0; start < affected.length; start += batchFiles) {
    const callers: ResolvedCaller[] = [];
    for (const path of affected.slice(start, start + batchFiles)) {
      const { edges, note } = await resolveFile(context, path, pacer);
      notes.set(path, failures.get(path) ?? note);
      for (const caller of groupByCaller(index, path, edges)) callers.push(caller);
      context.onFile();
      await pacer.yieldIfDue();
    }
    while (callers.length > 0) {
      storeEdges(store, index, callers.splice(0, BATCH_CALLERS));
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

function groupByCaller(
  index: RepositoryIndex,
  path: string,
  edges: ResolvedEdge[],
): ResolvedCaller[] {
  const grouped = Map.groupBy(edges, (edge) => edge.caller);
  return index.getSlotsByPath(path).map((slot) => {
    const caller = index.getChunk(slot).id;
    return { caller, edges: grouped.get(caller) ?? [] };
  });
}

function storeEdges(
  store: Store,
  index: RepositoryIndex,
  resolved: readonly ResolvedCaller[],
): void {
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

/** Resolves the calls of a file. `note` says, for display, why edges may be missing. */
async function resolveFile(
  { store, index, resolver }: GraphStageContext,
  path: string,
  pacer: Pacer,
): Promise<{ edges: ResolvedEdge[]; note: string | null }> {
  const { versionId, slots } = assertPresent(index.getFile(path), `the indexed file ${path}`);
  if (!isCode(index, slots)) {
    const { manifest } = store.versions.getFacts(versionId);
    if (manifest?.problem) return { edges: [], note: describeManifest(path, manifest.problem) };
  }
  try {
    const { edges, steps, cut } = await pacer.run(resolver.resolve(path));
    return { edges, note: cut ? describeCut(path, steps) : null };
  } catch (error) {
    if (error instanceof LocusError) throw error; // It was cancelled.
    return { edges: [], note: describeFailure(path, error) };
  }
}

/**
 * Passes the current facts of these paths to the resolver. Returns the paths whose edges may change. If the resolver fails on a
 * file, it treats the file as missing; `failures` then has the reason, by path.
 */
async function loadFacts(
  { store, index, resolver }: GraphStageContext,
  paths: Iterable<string>,
  pacer: Pacer,
  failures: Map<string, string>,
): Promise<Set<string>> {
  for (const path of paths) {
    const file = createGraphFile(store, index, path);
    try {
      resolver.put(path, file);
    } catch (error) {
      failures.set(path, describeFailure(path, error));
      resolver.put(path, null);
    }
    await pacer.yieldIfDue();
  }
  return pacer.run(resolver.takeAffected());
}

function describeCut(path: string, steps: number): string {
  return `The call graph of ${quoteText(path)} is incomplete: resolving its calls stopped after ${formatCount(steps)} steps.`;
}

function describeManifest(path: string, problem: string): string {
  return `${quoteText(path)} is invalid (${quoteText(problem)}). Modules are guessed from paths instead.`;
}

function describeFailure(path: string, error: unknown): string {
  return `The calls in ${quoteText(path)} could not be resolved because of a defect in Locus: ${quoteText(String(error))}.`;
}

function createGraphFile(store: Store, index: RepositoryIndex, path: string): GraphFile | null {
  const file = index.getFile(path);
  if (!file) return null;
  const first = file.slots[0] ?? 0;
  const { versions } = store;
  const facts = versions.getFacts(file.versionId);
  const slots = isCode(index, file.slots) ? file.slots : [];
  const chunks = slots.map((slot) => {
    const { qualifiedName, ordinal, name, kind, parent } = index.getChunk(slot);
    return { qualifiedName, ordinal, name, kind, parent: parent < 0 ? -1 : parent - first };
  });
  return {
    path,
    chunkIds: slots.map((slot) => index.getChunk(slot).id),
    chunks,
    facts: withLazyReferences(facts, () => versions.getReferences(file.versionId)),
    heritage: facts.references,
  };
}

/** Returns true if a file's chunks are code. The graph has no sections. */
function isCode(index: RepositoryIndex, [first]: readonly number[]): boolean {
  return first !== undefined && index.getChunk(first).kind !== 'section';
}
