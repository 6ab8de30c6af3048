import { finish } from '../../src/engine/event-loop/stepwise.ts';
import { ModuleGraph } from '../../src/engine/graph/resolver.ts';
import type { CallResolver, GraphFile } from '../../src/engine/graph/types.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';

let nextId = 1;

/** Parses a source file for the resolver. Its chunks get new ids, as after every edit. */
export async function graphFile(path: string, text: string): Promise<GraphFile> {
  const { chunks, facts } = await parseFile(path, text);
  return { path, chunkIds: chunks.map(() => nextId++), chunks, facts };
}

export async function graphFiles(sources: Record<string, string>): Promise<Map<string, GraphFile>> {
  const files = new Map<string, GraphFile>();
  for (const [path, text] of Object.entries(sources)) files.set(path, await graphFile(path, text));
  return files;
}

/** Returns the edges from a file as `caller > callee`, sorted, with the kind unless it is `call`, and `guess`. */
export function edgesOf(
  graph: CallResolver,
  files: ReadonlyMap<string, GraphFile>,
  path: string,
): string[] {
  const names = nameChunks(files);
  return finish(graph.resolve(path))
    .edges.map(({ caller, callee, kind, guess }) => {
      const said = kind === 'call' ? '' : ` ${kind}`;
      return `${names.get(caller)} > ${names.get(callee)}${said}${guess ? ' guess' : ''}`;
    })
    .sort();
}

/** Creates a resolver with these files. */
export function graphOf(files: ReadonlyMap<string, GraphFile>): CallResolver {
  const graph = new ModuleGraph();
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
export async function edges(sources: Record<string, string>): Promise<string[]> {
  const files = await graphFiles(sources);
  const graph = graphOf(files);
  return [...files.keys()]
    .flatMap((path) => edgesOf(graph, files, path))
    .map((edge) => edge.replaceAll(/(?<= |^)a\.py::/g, ''));
}

/** Returns the edges of one file, `a.py`. */
export function edgesIn(text: string): Promise<string[]> {
  return edges({ 'a.py': text });
}
