import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import { languageOf, manifestLanguageOf } from '../languages/index.ts';
import type { GraphRules } from '../languages/language.ts';
import { isTest } from '../source/role.ts';
import { LanguageGraph } from './language-graph.ts';
import type { CallResolver, GraphFile, Resolution } from './types.ts';

/** The call resolver of a repository: a graph for the languages of the same rules, as calls do not cross from one to another. */
export class ModuleGraph implements CallResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #graphs = new Map<GraphRules, LanguageGraph>();
  #put = new Set<string>();

  constructor(isTestFile: (path: string) => boolean = isTest) {
    this.#isTest = isTestFile;
  }

  put(path: string, file: GraphFile | null): void {
    this.#put.add(path);
    this.#graphOf(path)?.put(path, file);
  }

  *affected(): Stepwise<Set<string>> {
    const affected = this.#put;
    this.#put = new Set();
    for (const graph of this.#graphs.values())
      for (const path of yield* graph.affected()) affected.add(path);
    return affected;
  }

  *resolve(path: string): Stepwise<Resolution> {
    const graph = this.#graphOf(path);
    return graph ? yield* graph.resolve(path) : { edges: [], steps: 0, cut: false };
  }

  #graphOf(path: string): LanguageGraph | null {
    const rules = (languageOf(path) ?? manifestLanguageOf(path))?.graph;
    if (!rules) return null;
    return getOrAdd(this.#graphs, rules, () => new LanguageGraph(rules, this.#isTest));
  }
}

export function createResolver(): CallResolver {
  return new ModuleGraph();
}
