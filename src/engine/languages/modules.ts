import type { ImportFact, ManifestEntry } from './facts.ts';

/** Module of the repository: a file, a folder with an index file, a bare folder, or a namespace. */
export interface RepositoryModule {
  /** Path of the file that defines its members; null for a bare folder. */
  file: string | null;
  /** Folder of its submodules; null for a plain file. */
  folder: string | null;
  /** Namespace, used instead of file and folder. Its members are those of all its files. */
  namespace?: string;
  /** Names to follow within the module, outermost first: the classes around an imported class. */
  inner?: readonly string[];
}

/** Target of an import. */
export interface ImportTarget {
  /** Imported module; null if it is outside the repository. */
  module: RepositoryModule | null;
  /** Names that the answer depends on. It may change if `ModuleResolver.add` or `remove` reports one of them. */
  names: readonly string[];
}

/** Modules of a repository. Resolves imports to them. */
export interface ModuleResolver {
  /** Adds a file. `touched` receives every name whose look-up may now have another result. */
  add(path: string, touched: Set<string>): void;
  /** Removes a file; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void;
  /** Updates the entries of a manifest; null if it was removed. `touched` as for `add`. */
  updateManifest?(
    path: string,
    entries: readonly ManifestEntry[] | null,
    touched: Set<string>,
  ): void;
  /** Returns the module that an import names in a file. */
  resolveImport(importer: string, fact: ImportFact): ImportTarget;
  /** Returns the module that the local name of an import without a member means. `named` is the module that the import names. */
  resolveLocal(importer: string, fact: ImportFact, named: RepositoryModule): RepositoryModule;
  /** Returns the module that a name means in a file that does not bind it; `names` as for `resolveImport`. */
  resolveName?(importer: string, name: string): ImportTarget;
  /** Returns the module of a name in a folder, or null. */
  getChild(folder: string, name: string): RepositoryModule | null;
}
