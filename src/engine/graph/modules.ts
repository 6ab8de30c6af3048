import { posix } from 'node:path';
import type { GraphLanguage } from './language.ts';

/** A module of the repository: a file, a folder with a package file, or a bare folder (namespace package). */
export interface Module {
  /** Path of the file that defines its members; null for a bare folder. */
  file: string | null;
  /** Folder of its submodules; null for a plain file. */
  folder: string | null;
}

/**
 * The files of a repository as importable modules. Nothing is assumed about where source roots are:
 * any folder without a package file may be one, and so may `src`.
 */
export class ModuleTree {
  readonly #language: GraphLanguage;
  readonly #isTest: (path: string) => boolean;
  readonly #files = new Set<string>();
  /** Folder -> names of the modules and folders in it -> how many files make that name exist. */
  readonly #children = new Map<string, Map<string, number>>();
  /** Name -> folders that have a child of that name. */
  readonly #parents = new Map<string, Set<string>>();
  #modules = new Map<string, Module | null>();
  #absolute = new Map<string, Module | null>();

  constructor(language: GraphLanguage, isTest: (path: string) => boolean) {
    this.#language = language;
    this.#isTest = isTest;
  }

  /** Adds a file; `touched` receives every name whose look-up may now end differently. */
  add(path: string, touched: Set<string>): void {
    if (this.#files.has(path)) return;
    this.#files.add(path);
    this.#count(path, 1, touched);
  }

  /** Removes a file; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void {
    if (!this.#files.delete(path)) return;
    this.#count(path, -1, touched);
  }

  #count(path: string, step: 1 | -1, touched: Set<string>): void {
    this.#modules = new Map();
    this.#absolute = new Map();
    let folder = folderOf(path);
    let name = posix.basename(path, posix.extname(path));
    touched.add(name);
    if (name === this.#language.packageFile) {
      // The folder became, or is no longer, a package: it and all in it are found in other ways.
      touched.add(posix.basename(folder));
      for (const child of this.#children.get(folder)?.keys() ?? []) touched.add(child);
    }
    for (;;) {
      this.#countChild(folder, name, step, touched);
      if (folder === '') return;
      name = posix.basename(folder);
      folder = folderOf(folder);
    }
  }

  #countChild(folder: string, name: string, step: 1 | -1, touched: Set<string>): void {
    const names = getOrAdd(this.#children, folder, () => new Map<string, number>());
    const count = (names.get(name) ?? 0) + step;
    if (count > 0) names.set(name, count);
    else names.delete(name);
    if (names.size === 0) this.#children.delete(folder);
    if (count === 1 && step === 1) {
      getOrAdd(this.#parents, name, () => new Set<string>()).add(folder);
      touched.add(name);
    } else if (count === 0) {
      const parents = this.#parents.get(name);
      parents?.delete(folder);
      if (parents?.size === 0) this.#parents.delete(name);
      touched.add(name);
    }
  }

  /** The module `name` in a folder, or null. A package wins over a file, a file over a bare folder. */
  child(folder: string, name: string): Module | null {
    return this.#at(folder === '' ? name : `${folder}/${name}`);
  }

  /** The module at a path without extension, or null. */
  #at(path: string): Module | null {
    let module = this.#modules.get(path);
    if (module === undefined) {
      const packageFile = this.#packageFile(path);
      const file = packageFile ?? this.#moduleFile(path);
      const folder = packageFile || (!file && this.#children.has(path)) ? path : null;
      module = file === null && folder === null ? null : { file, folder };
      this.#modules.set(path, module);
    }
    return module;
  }

  #packageFile(folder: string): string | null {
    const stem = this.#language.packageFile;
    return this.#moduleFile(folder === '' ? stem : `${folder}/${stem}`);
  }

  #moduleFile(stem: string): string | null {
    for (const extension of this.#language.extensions)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /**
   * The module that `import names[0].names[1]...` finds from a file, or null when it lies outside the
   * repository. Of several source roots that could hold it, the nearest to the importing file wins.
   */
  absolute(importer: string, names: readonly string[]): Module | null {
    const from = folderOf(importer);
    const key = `${from}:${names.join('.')}`;
    let module = this.#absolute.get(key);
    if (module === undefined) {
      module = null;
      for (const root of this.#rootsOf(names[0]!, importer, from)) {
        module = this.#walk(root, names);
        if (module) break;
      }
      this.#absolute.set(key, module);
    }
    return module;
  }

  /** The module of `level` leading dots followed by `names`, or null. */
  relative(importer: string, level: number, names: readonly string[]): Module | null {
    let folder = folderOf(importer);
    for (let up = 1; up < level; up++) {
      if (folder === '') return null;
      folder = folderOf(folder);
    }
    if (names.length === 0) return { file: this.#packageFile(folder), folder };
    return this.#walk(folder, names);
  }

  #walk(root: string, names: readonly string[]): Module | null {
    let folder: string | null = root;
    let module: Module | null = null;
    for (const name of names) {
      if (folder === null) return null;
      module = this.child(folder, name);
      if (!module) return null;
      folder = module.folder;
    }
    return module;
  }

  /** Source roots that hold a module of this name, likeliest first. */
  #rootsOf(name: string, importer: string, from: string): string[] {
    const fromTest = this.#isTest(importer);
    const roots = [...(this.#parents.get(name) ?? [])].filter((root) => {
      if (root === from) return !this.#packageFile(root);
      if (root === '' || this.#isSourceRoot(root)) return true;
      if (this.#packageFile(root) || this.#language.standardModules.has(name)) return false;
      const encloses = from.startsWith(`${root}/`);
      return (
        encloses || fromTest || !this.#isTest(`${root}/${name}${this.#language.extensions[0]}`)
      );
    });
    if (roots.length < 2) return roots;
    const bare = (root: string) => (this.child(root, name)?.file ? 0 : 1);
    return roots.sort(
      (a, b) =>
        bare(a) - bare(b) ||
        sharedDepth(b, from) - sharedDepth(a, from) ||
        a.length - b.length ||
        (a < b ? -1 : 1),
    );
  }

  #isSourceRoot(folder: string): boolean {
    return this.#language.sourceRoots.includes(posix.basename(folder));
  }
}

/** The folder of a path, `''` for the repository's root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** How many leading folders two folders share. */
function sharedDepth(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  let depth = 0;
  while (depth < left.length && left[depth] !== '' && left[depth] === right[depth]) depth++;
  return depth;
}

export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
