import { type Language, languageOf } from '../languages/index.ts';
import { roleOf } from '../scan/role.ts';
import { graphLanguage } from './language.ts';
import { LanguageGraph } from './language-graph.ts';
import { getOrAdd } from './modules.ts';
import type { CallResolver, GraphFile, ResolvedEdge } from './types.ts';

/** The call resolver of a repository: one graph for each language, as calls do not cross from one to another. */
export class ModuleGraph implements CallResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #graphs = new Map<Language, LanguageGraph>();

  /** `isTest(path)`: whether a file is test code; other code's calls are not guessed to lead there. */
  constructor(isTest: (path: string) => boolean = (path) => roleOf(path) === 'test') {
    this.#isTest = isTest;
  }

  /**
   * Adds, replaces or removes (`null`) files; files of unknown languages are passed over.
   * Returns the paths whose edges may have changed since they were last resolved, the given ones included.
   */
  update(files: ReadonlyMap<string, GraphFile | null>): Set<string> {
    const parts = new Map<LanguageGraph, Map<string, GraphFile | null>>();
    for (const [path, file] of files) {
      const graph = this.#graphOf(path);
      if (graph) getOrAdd(parts, graph, () => new Map<string, GraphFile | null>()).set(path, file);
    }
    const affected = new Set(files.keys());
    for (const [graph, part] of parts) for (const path of graph.update(part)) affected.add(path);
    return affected;
  }

  /** The edges whose caller is in this file; none for a file that is not there. */
  resolve(path: string): ResolvedEdge[] {
    return this.#graphOf(path)?.resolve(path) ?? [];
  }

  #graphOf(path: string): LanguageGraph | null {
    const language = languageOf(path);
    if (!language) return null;
    return getOrAdd(
      this.#graphs,
      language,
      () => new LanguageGraph(graphLanguage(language), this.#isTest),
    );
  }
}

/** The resolver of a repository, still without files. */
export function createResolver(): CallResolver {
  return new ModuleGraph();
}
