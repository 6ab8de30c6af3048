import type { GraphRules } from '../languages/language.ts';
import type { ModuleResolver } from '../languages/modules.ts';
import type { FileIndex } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';

/** One state of a repository, as the resolver reads it. */
export interface World {
  readonly rules: GraphRules;
  readonly modules: ModuleResolver;
  readonly namespaces: Namespaces;
  readonly files: ReadonlyMap<string, FileIndex>;
}
