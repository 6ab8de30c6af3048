import type { ImportFact, ManifestEntry } from './facts.ts';

/** A module of the repository: a file, a folder with a file that stands for it, or a bare folder. */
export interface Module {
  /** Path of the file that defines its members; null for a bare folder. */
  file: string | null;
  /** Folder of its submodules; null for a plain file. */
  folder: string | null;
  /** A namespace, in place of both: its members are those of all its files. */
  namespace?: string;
  /** Names to be followed from there, outermost first: the classes around an imported class. */
  inner?: readonly string[];
}

/** What an import leads to. */
export interface Imported {
  /** The module it looks into; null when it lies outside the repository. */
  module: Module | null;
  /** The names whose coming or going, as `ModuleResolver.add` tells them, may change the answer. */
  names: readonly string[];
}

/** Which modules a repository has, and which of them an import means. */
export interface ModuleResolver {
  /** Adds a file; `touched` receives every name whose look-up may now end differently. */
  add(path: string, touched: Set<string>): void;
  /** Removes a file; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void;
  /** Takes what a manifest says now; null for one that is gone. `touched` as for `add`. */
  describe?(path: string, entries: readonly ManifestEntry[] | null, touched: Set<string>): void;
  /** The module that an import names, for the file that holds the import. */
  imported(importer: string, fact: ImportFact): Imported;
  /** The module that the local name of an import without a member stands for; `named` is the one that the import names. */
  bound(importer: string, fact: ImportFact, named: Module): Module;
  /** The module that a name means in a file which binds it to nothing; `names` as for `imported`. */
  named?(importer: string, name: string): Imported;
  /** The module of a name in a folder, or null. */
  child(folder: string, name: string): Module | null;
}
