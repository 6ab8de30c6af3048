import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import { findLanguage, findManifestLanguage } from '../languages/index.ts';
import type { GraphRules } from '../languages/language.ts';
import { isTestPath } from '../source/role.ts';
import { LanguageGraph } from './language-graph.ts';
import type { CallResolver, FileResolution, GraphFile } from './types.ts';

/** The call resolver of a repository: one graph for all languages with the same rules, since calls do not cross graphs. */
export class RepositoryGraph implements CallResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #graphs = new Map<GraphRules, LanguageGraph>();
  #changedPaths = new Set<string>();

  constructor(isTestFile: (path: string) => boolean = isTestPath) {
    this.#isTest = isTestFile;
  }

  put(path: string, file: GraphFile | null): void {
    this.#changedPaths.add(path);
    this.#getGraph(path)?.put(path, file);
  }

  *takeAffected(): Stepwise<Set<string>> {
    const affected = this.#changedPaths;
    this.#changedPaths = new Set();
    for (const graph of this.#graphs.values())
      for (const path of yield* graph.takeAffected()) affected.add(path);
    return affected;
  }

  *resolve(path: string): Stepwise<FileResolution> {
    const graph = this.#getGraph(path);
    return graph ? yield* graph.resolve(path) : { edges: [], steps: 0, cut: false };
  }

  #getGraph(path: string): LanguageGraph | null {
    const rules = (findLanguage(path) ?? findManifestLanguage(path))?.graph;
    if (!rules) return null;
    return getOrAdd(this.#graphs, rules, () => new LanguageGraph(rules, this.#isTest));
  }
}

export function createCallResolver(): CallResolver {
  return new RepositoryGraph();
}
