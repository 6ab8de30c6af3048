import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import { findLanguage, findManifestLanguage } from '../languages/index.ts';
import type { GraphRules } from '../languages/language.ts';
import { isTestPath } from '../source/role.ts';
import { LanguageGraph } from './language-graph.ts';
import type { CallResolver, FileResolution, GraphFile } from './types.ts';

/**
 * The call resolver of a repository: one graph for all languages with the same rules. Calls do not cross graphs, except those from
 * templates to the language around them.
 */
export class RepositoryGraph implements CallResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #graphs = new Map<GraphRules, LanguageGraph>();
  #changedPaths = new Set<string>();

  constructor(isTestFile: (path: string) => boolean = isTestPath) {
    this.#isTest = isTestFile;
  }

  put(path: string, file: GraphFile | null): void {
    this.#changedPaths.add(path);
    this.#findGraph(path)?.put(path, file);
  }

  *takeAffected(): Stepwise<Set<string>> {
    const affected = this.#changedPaths;
    this.#changedPaths = new Set();
    const changed = new Map(this.#graphs.values().map((graph) => [graph, graph.takeChanges()]));
    for (const [graph, changes] of changed) {
      const hosts = Array.from(graph.hosts, (host) => changed.get(host)).filter((one) => !!one);
      for (const path of yield* graph.findAffected(changes, hosts)) affected.add(path);
    }
    return affected;
  }

  *resolve(path: string): Stepwise<FileResolution> {
    const graph = this.#findGraph(path);
    if (!graph) return { edges: [], steps: 0, cut: false };
    const host = graph.rules.getHost?.(path);
    return yield* graph.resolve(path, host && this.#getGraph(host));
  }

  #findGraph(path: string): LanguageGraph | null {
    const rules = (findLanguage(path) ?? findManifestLanguage(path))?.graph;
    return rules ? this.#getGraph(rules) : null;
  }

  #getGraph(rules: GraphRules): LanguageGraph {
    return getOrAdd(this.#graphs, rules, () => new LanguageGraph(rules, this.#isTest));
  }
}

export function createCallResolver(): CallResolver {
  return new RepositoryGraph();
}
