import type { FileIndex } from './file-index.ts';
import type { GraphLanguage } from './language.ts';
import type { ModuleTree } from './modules.ts';

/** One state of a repository, as the resolver reads it. */
export interface World {
  readonly language: GraphLanguage;
  readonly modules: ModuleTree;
  readonly files: ReadonlyMap<string, FileIndex>;
}
