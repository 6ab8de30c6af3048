import { finish } from '../../src/engine/event-loop/stepwise.ts';
import { ModuleGraph } from '../../src/engine/graph/resolver.ts';
import type { CallResolver, GraphFile } from '../../src/engine/graph/types.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';

let nextId = 1;

/** A source file as the resolver gets it, its chunks under new ids as after every edit. */
export async function graphFile(path: string, text: string): Promise<GraphFile> {
  const { chunks, facts } = await parseFile(path, text);
  return { path, chunkIds: chunks.map(() => nextId++), chunks, facts };
}

export async function graphFiles(sources: Record<string, string>): Promise<Map<string, GraphFile>> {
  const files = new Map<string, GraphFile>();
  for (const [path, text] of Object.entries(sources)) files.set(path, await graphFile(path, text));
  return files;
}

/** The edges out of one file as `caller > callee`, sorted; kinds other than `call` and guesses are said. */
export function edgesOf(
  graph: CallResolver,
  files: ReadonlyMap<string, GraphFile>,
  path: string,
): string[] {
  const names = namesOf(files);
  return finish(graph.resolve(path))
    .edges.map(({ caller, callee, kind, guess }) => {
      const said = kind === 'call' ? '' : ` ${kind}`;
      return `${names.get(caller)} > ${names.get(callee)}${said}${guess ? ' guess' : ''}`;
    })
    .sort();
}

/** A resolver that knows these files. */
export function graphOf(files: ReadonlyMap<string, GraphFile>): CallResolver {
  const graph = new ModuleGraph();
  for (const [path, file] of files) graph.put(path, file);
  return graph;
}

function namesOf(files: ReadonlyMap<string, GraphFile>): Map<number, string> {
  const names = new Map<number, string>();
  for (const { path, chunkIds, chunks } of files.values())
    for (const [index, { qualifiedName, ordinal }] of chunks.entries())
      names.set(
        chunkIds[index]!,
        `${path}::${qualifiedName}${ordinal > 0 ? `#${ordinal + 1}` : ''}`,
      );
  return names;
}

/** All edges of a repository given as sources, without the callers' and callees' paths where they are `a.py`. */
export async function edges(sources: Record<string, string>): Promise<string[]> {
  const files = await graphFiles(sources);
  const graph = graphOf(files);
  return [...files.keys()]
    .flatMap((path) => edgesOf(graph, files, path))
    .map((edge) => edge.replaceAll(/(?<= |^)a\.py::/g, ''));
}

/** Edges of one file, `a.py`. */
export function edgesIn(text: string): Promise<string[]> {
  return edges({ 'a.py': text });
}
