import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { RepositoryGraph } from '../../src/engine/graph/repository-graph.ts';
import type { CallResolver, GraphFile } from '../../src/engine/graph/types.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';

let nextId = 1;

/** Parses a source file for the resolver. Its chunks get new ids, as after every edit. */
export async function parseGraphFile(path: string, text: string): Promise<GraphFile> {
  const { chunks, facts } = await parseFile(path, text);
  return { path, chunkIds: chunks.map(() => nextId++), chunks, facts };
}

export async function parseGraphFiles(
  sources: Record<string, string>,
): Promise<Map<string, GraphFile>> {
  const files = new Map<string, GraphFile>();
  for (const [path, text] of Object.entries(sources))
    files.set(path, await parseGraphFile(path, text));
  return files;
}

/** Returns the edges from a file as `caller > callee`, sorted, with the kind unless it is `call`, and `guess`. */
export function listEdges(
  graph: CallResolver,
  files: ReadonlyMap<string, GraphFile>,
  path: string,
): string[] {
  const names = nameChunks(files);
  return runToEnd(graph.resolve(path))
    .edges.map(({ caller, callee, kind, guess }) => {
      const said = kind === 'call' ? '' : ` ${kind}`;
      return `${names.get(caller)} > ${names.get(callee)}${said}${guess ? ' guess' : ''}`;
    })
    .sort();
}

/** Creates a resolver with these files. */
export function createGraph(files: ReadonlyMap<string, GraphFile>): CallResolver {
  const graph = new RepositoryGraph();
  for (const [path, file] of files) graph.put(path, file);
  return graph;
}

function nameChunks(files: ReadonlyMap<string, GraphFile>): Map<number, string> {
  const names = new Map<number, string>();
  for (const { path, chunkIds, chunks } of files.values())
    for (const [index, { qualifiedName, ordinal }] of chunks.entries())
      names.set(
        chunkIds[index]!,
        `${path}::${qualifiedName}${ordinal > 0 ? `#${ordinal + 1}` : ''}`,
      );
  return names;
}

/** Returns all edges of a repository; leaves out the path `a.py`. */
export async function findEdges(sources: Record<string, string>): Promise<string[]> {
  const files = await parseGraphFiles(sources);
  const graph = createGraph(files);
  return [...files.keys()]
    .flatMap((path) => listEdges(graph, files, path))
    .map((edge) => edge.replaceAll(/(?<= |^)a\.py::/g, ''));
}

/** Returns the edges of one file, `a.py`. */
export function findEdgesIn(text: string): Promise<string[]> {
  return findEdges({ 'a.py': text });
}
