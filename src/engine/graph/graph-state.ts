import type { GraphRules } from '../languages/language.ts';
import type { ModuleResolver } from '../languages/modules.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import type { ReadSet } from './read-set.ts';

/** One state of a repository, as the evaluators read it. */
export interface GraphState {
  readonly rules: GraphRules;
  readonly modules: ModuleResolver;
  readonly namespaces: Namespaces;
  readonly files: ReadonlyMap<string, FileIndex>;
}

/** A class and all its bases, direct and indirect. */
export interface Lineage {
  /** The class and its known bases in method resolution order. */
  order: readonly GraphDefinition[];
  /** False if a base is outside the repository or could not be resolved. */
  complete: boolean;
  reads: ReadSet;
  /** Steps that computing it took, even if it was cached. */
  steps: number;
  /** True if there were too many bases: some may be missing, or their order may not be the language's. */
  cut: boolean;
}
