/** The call graph of one snapshot, in which single files can be put back to an older version for a moment. */

import { throwIfCancelled } from '../../src/base/cancel.ts';
import {
  type CallResolver,
  createCallResolver,
  createTraitsReader,
  type FileFacts,
  findManifestLanguage,
  type GraphFile,
  inferRole,
  isContextEdge,
  isSourcePath,
  MAX_CALLEES,
  type ParsedChunk,
  type ParserPool,
  type PooledFile,
  type ResolvedEdge,
  runToEnd,
  type SourceEntry,
  type SourceTree,
  sortByCallSite,
  withLazyReferences,
} from '../../src/engine/lab.ts';
import { present } from '../../src/shared/present.ts';
import type { WorkFile } from './work-file.ts';

/** Files parsed before their chunks are stored. */
const SLICE = 128;

/** A chunk in the graph. Those of a snapshot are stored when it is loaded, others when something refers to them. */
interface Node {
  path: string;
  qualifiedName: string;
  ordinal: number;
  /** Its line in the output, once it is stored; null for module chunks, which are no part of it. */
  line: number | null;
  /** What is needed to store it; null once it is. */
  chunk: ParsedChunk | null;
}

/** A call that leads to a chunk: the caller, and where in its file. */
export interface Call {
  caller: number;
  line: number;
}

export class SnapshotGraph {
  /** Blob ids of the snapshot's files by path. */
  readonly hashes = new Map<string, string>();
  readonly #snapshot: number;
  readonly #work: WorkFile;
  readonly #resolver: CallResolver = createCallResolver();
  readonly #files = new Map<string, GraphFile>();
  readonly #nodes: Node[] = [];
  /** Of the snapshot; nodes from here on belong to files that are put back. */
  #size = 0;
  readonly #replaced = new Map<string, GraphFile>();
  /** Calls within the snapshot by callee; certain ones only. */
  readonly #calls = new Map<number, Call[]>();
  readonly #byName = new Map<string, number>();
  #declared = createTraitsReader([]);

  private constructor(snapshot: number, work: WorkFile) {
    this.#snapshot = snapshot;
    this.#work = work;
  }

  /**
   * Reads all source files of a commit, vendored and generated ones left out, stores their chunks as members of the snapshot, and links their callees.
   * @param snapshot its number in the output
   * @throws LocusError `cancelled` when the signal aborts
   */
  static async load(
    tree: SourceTree,
    snapshot: number,
    parts: { pool: ParserPool; work: WorkFile; signal?: AbortSignal },
  ): Promise<SnapshotGraph> {
    const graph = new SnapshotGraph(snapshot, parts.work);
    const isSource = (path: string) =>
      findManifestLanguage(path) !== null || (isSourcePath(path) && inferRole(path) === 'source');
    const { pool, work, signal } = parts;
    const { entries, attributes } = await tree.list(isSource, undefined, signal);
    graph.#declared = createTraitsReader(attributes);
    for (let start = 0; start < entries.length; start += SLICE) {
      throwIfCancelled(signal, 'Mining');
      const files = await parseFiles(tree, pool, entries.slice(start, start + SLICE), signal);
      work.transaction(() => {
        for (const file of files) if (graph.isSource(file)) graph.#add(file);
      });
    }
    for (const [path, file] of graph.#files) graph.#resolver.put(path, file);
    graph.#size = graph.#nodes.length;
    throwIfCancelled(signal, 'Mining');
    work.transaction(() => graph.#linkAll());
    return graph;
  }

  /**
   * Puts files to the versions given, and all others to the snapshot's.
   * @returns by path, the nodes of each file's chunks, parallel to `chunks`
   */
  replace(files: readonly PooledFile[]): Map<string, readonly number[]> {
    const update = new Map<string, GraphFile | null>();
    for (const path of this.#replaced.keys()) update.set(path, this.#files.get(path) ?? null);
    this.#replaced.clear();
    this.#nodes.length = this.#size;
    const nodes = new Map<string, readonly number[]>();
    for (const file of files) {
      const own = this.#files.get(file.path);
      if (own && this.hashes.get(file.path) === file.hash) {
        nodes.set(file.path, own.chunkIds);
        continue;
      }
      const put = this.#graphFile(file);
      this.#replaced.set(file.path, put);
      update.set(file.path, put);
      nodes.set(file.path, put.chunkIds);
    }
    for (const [path, file] of update) this.#resolver.put(path, file);
    return nodes;
  }

  /** Links the chunks of a file to their callees and gives back their lines in the output, by node. */
  lines(path: string, nodes: readonly number[]): Map<number, number> {
    const lines = new Map<number, number>();
    const wanted = new Set(nodes);
    const edges = this.#edges(path).filter(({ caller }) => wanted.has(caller));
    const byCaller = Map.groupBy(edges, ({ caller }) => caller);
    for (const node of nodes) {
      const line = present(this.#line(node), 'the line of a node');
      lines.set(node, line);
      const callees = sortByCallSite(byCaller.get(node) ?? [])
        .filter(({ callee, kind }) => callee !== node && isContextEdge(kind))
        .flatMap(({ callee }) => this.#line(callee) ?? []);
      this.#work.link(line, [...new Set(callees)].slice(0, MAX_CALLEES));
    }
    return lines;
  }

  /** Whether a file is source by its path, its text and what the snapshot's repository says of it. */
  isSource({ path, generated }: PooledFile): boolean {
    return inferRole(path, { generated, declared: this.#declared(path) }) === 'source';
  }

  /** The snapshot's chunk of an address, if it holds one. */
  find(path: string, qualifiedName: string, ordinal: number): number | undefined {
    return this.#byName.get(address(path, qualifiedName, ordinal));
  }

  /** Where a chunk of the snapshot is called for certain, by path and line. */
  callsTo(node: number): readonly Call[] {
    return this.#calls.get(node) ?? [];
  }

  node(node: number): Pick<Node, 'path' | 'qualifiedName'> {
    return this.#node(node);
  }

  #node(node: number): Node {
    return present(this.#nodes[node], 'a node');
  }

  #edges(path: string): ResolvedEdge[] {
    return runToEnd(this.#resolver.resolve(path)).edges;
  }

  #add(file: PooledFile): void {
    const put = this.#graphFile(file);
    this.#files.set(file.path, put);
    this.hashes.set(file.path, file.hash);
    for (const node of put.chunkIds) {
      const { path, qualifiedName, ordinal } = this.#node(node);
      this.#byName.set(address(path, qualifiedName, ordinal), node);
      const line = this.#line(node);
      if (line !== null) this.#work.mark(line, this.#snapshot);
    }
  }

  #linkAll(): void {
    for (const [path, { chunkIds }] of this.#files) {
      this.lines(
        path,
        chunkIds.filter((node) => this.#node(node).line !== null),
      );
      for (const { caller, callee, kind, guess, sites } of this.#edges(path)) {
        const [site] = sites;
        if (guess || !isContextEdge(kind) || caller === callee || !site) continue;
        const calls = this.#calls.get(callee) ?? [];
        calls.push({ caller, line: site.line });
        this.#calls.set(callee, calls);
      }
    }
  }

  #graphFile({ path, chunks, factsJson }: PooledFile): GraphFile {
    const chunkIds = chunks.map((chunk) => {
      const { qualifiedName, ordinal, kind } = chunk;
      const kept = kind === 'module' ? null : chunk;
      return this.#nodes.push({ path, qualifiedName, ordinal, line: null, chunk: kept }) - 1;
    });
    const outlines = chunks.map(({ qualifiedName, ordinal, name, kind, parent }) => ({
      qualifiedName,
      ordinal,
      name,
      kind,
      parent,
    }));
    return { path, chunkIds, chunks: outlines, facts: lateFacts(factsJson) };
  }

  #line(node: number): number | null {
    const found = this.#node(node);
    if (found.chunk) {
      found.line = this.#work.chunk(found.path, found.chunk);
      found.chunk = null;
    }
    return found.line;
  }
}

/**
 * Reads and parses files; those that cannot be read are left out. In the order of `entries`.
 * Rejects with LocusError `bad-repository` and `cancelled`.
 */
export async function parseFiles(
  tree: SourceTree,
  pool: ParserPool,
  entries: readonly SourceEntry[],
  signal?: AbortSignal,
): Promise<PooledFile[]> {
  const parsed = new Map<string, PooledFile>();
  const key = (path: string, hash: string | null) => `${hash} ${path}`;
  for await (const file of pool.parse([readable(tree, entries, signal)])) {
    parsed.set(key(file.path, file.hash), file);
  }
  return entries.flatMap(({ path, hash }) => parsed.get(key(path, hash)) ?? []);
}

async function* readable(
  tree: SourceTree,
  entries: readonly SourceEntry[],
  signal: AbortSignal | undefined,
) {
  for await (const content of tree.read(entries, signal)) if ('text' in content) yield content;
}

/** References are most of a file's facts, and are needed only while the file is being resolved. */
function lateFacts(json: string): FileFacts {
  const read = () => JSON.parse(json) as FileFacts;
  return withLazyReferences(read(), () => read().references);
}

const address = (path: string, qualifiedName: string, ordinal: number) =>
  `${path}\0${qualifiedName}\0${ordinal}`;
