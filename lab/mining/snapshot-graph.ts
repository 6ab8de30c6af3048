/** Call graph of one snapshot. Single files can be replaced temporarily by an older version. */

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
  type ParsedSource,
  type ParserPool,
  type ResolvedEdge,
  runToEnd,
  type SourceEntry,
  type SourceTree,
  sortByCallSite,
  unpackFile,
  withLazyReferences,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { WorkFile } from './work-file.ts';

/** Number of files that are parsed before their chunks are stored. */
const SLICE = 128;

/** A chunk in the graph. Chunks of the snapshot are stored when it is loaded, others when something refers to them. */
interface Node {
  path: string;
  qualifiedName: string;
  ordinal: number;
  /** Line in the output, once stored. Null for module code, which is not in the output. */
  line: number | null;
  /** Parsed chunk, needed to store it. Null once stored. */
  chunk: ParsedChunk | null;
}

/** A call of a chunk: the caller, and the location in its file. */
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
  /** Number of nodes of the snapshot. Later nodes belong to replaced files. */
  #size = 0;
  readonly #replaced = new Map<string, GraphFile>();
  /** Calls within the snapshot by callee, without guesses. */
  readonly #calls = new Map<number, Call[]>();
  readonly #byName = new Map<string, number>();
  #declared = createTraitsReader([]);

  private constructor(snapshot: number, work: WorkFile) {
    this.#snapshot = snapshot;
    this.#work = work;
  }

  /**
   * Reads all source files of a commit, without vendored and generated ones. Stores their chunks as members of the snapshot,
   * and links their callees.
   * @param snapshot number of the snapshot in the output
   * @throws LocusError `cancelled` if the signal aborts
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
   * Replaces files by the given versions, and restores all others to those of the snapshot.
   * @returns the nodes of each file's chunks by path, parallel to `chunks`
   */
  replace(files: readonly ParsedSource[]): Map<string, readonly number[]> {
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

  /** Links the chunks of a file to their callees, and returns their lines in the output by node. */
  lines(path: string, nodes: readonly number[]): Map<number, number> {
    const lines = new Map<number, number>();
    const wanted = new Set(nodes);
    const edges = this.#edges(path).filter(({ caller }) => wanted.has(caller));
    const byCaller = Map.groupBy(edges, ({ caller }) => caller);
    for (const node of nodes) {
      const line = assertPresent(this.#line(node), 'the line of a node');
      lines.set(node, line);
      const callees = sortByCallSite(byCaller.get(node) ?? [])
        .filter(({ callee, kind }) => callee !== node && isContextEdge(kind))
        .flatMap(({ callee }) => this.#line(callee) ?? []);
      this.#work.link(line, [...new Set(callees)].slice(0, MAX_CALLEES));
    }
    return lines;
  }

  /** Returns true if a file is source, by its path, its text and the settings of the snapshot's repository. */
  isSource({ path, generated }: ParsedSource): boolean {
    return inferRole(path, { generated, declared: this.#declared(path) }) === 'source';
  }

  /** Returns the snapshot's chunk with this address, if it exists. */
  find(path: string, qualifiedName: string, ordinal: number): number | undefined {
    return this.#byName.get(address(path, qualifiedName, ordinal));
  }

  /** Returns the certain calls of a chunk of the snapshot, ordered by path and line. */
  callsTo(node: number): readonly Call[] {
    return this.#calls.get(node) ?? [];
  }

  node(node: number): Pick<Node, 'path' | 'qualifiedName'> {
    return this.#node(node);
  }

  #node(node: number): Node {
    return assertPresent(this.#nodes[node], 'a node');
  }

  #edges(path: string): ResolvedEdge[] {
    return runToEnd(this.#resolver.resolve(path)).edges;
  }

  #add(file: ParsedSource): void {
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

  #graphFile({ path, chunks, facts }: ParsedSource): GraphFile {
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
    return { path, chunkIds, chunks: outlines, facts: packReferences(facts) };
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
 * Reads and parses files in the order of `entries`. Skips those that cannot be read.
 * @throws LocusError `bad-repository` or `cancelled`
 */
export async function parseFiles(
  tree: SourceTree,
  pool: ParserPool,
  entries: readonly SourceEntry[],
  signal?: AbortSignal,
): Promise<ParsedSource[]> {
  const parsed = new Map<string, ParsedSource>();
  const key = (path: string, hash: string | null) => `${hash} ${path}`;
  for await (const file of pool.parse([readable(tree, entries, signal)])) {
    parsed.set(key(file.path, file.hash), unpackFile(file));
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

/** Returns facts whose references are kept as JSON. They are the largest part, and only resolving needs them. */
function packReferences(facts: FileFacts): FileFacts {
  const json = JSON.stringify(facts.references);
  return withLazyReferences(facts, () => JSON.parse(json));
}

const address = (path: string, qualifiedName: string, ordinal: number) =>
  `${path}\0${qualifiedName}\0${ordinal}`;
