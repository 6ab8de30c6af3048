import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import { appendTo } from '../../../shared/lists-by-key.ts';
import type { ImportFact } from '../facts.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';
import { wordsIn } from '../words.ts';

const EXTENSIONS = ['.py', '.pyi', '.pyw'] as const;
/** Stem of the file that makes a folder a package. */
const PACKAGE_FILE = '__init__';
/** Folders that hold top-level modules even where they look like packages. */
const SOURCE_ROOTS = new Set(['src', 'lib']);
/** First names of the standard library's modules, which a repository's inner folders do not shadow. */
const STANDARD_MODULES = wordsIn(new URL('./', import.meta.url), 'standard-modules.txt');

/** Of the source roots of one name, this many of the likeliest are looked into for what is imported, */
const MOST_ROOTS = 256;
/** and this many are compared to tell which are. */
const MOST_COMPARED = 4096;

interface Folder {
  path: string;
  name: string;
  parent: Folder | null;
  /** Names of the modules and folders in it -> how many files, or one folder, make that name exist. */
  children: Map<string, number>;
}

/**
 * Source roots of one name by each folder around them, with the child of that folder that they are in, likeliest first:
 * those with a module, and those with a bare folder.
 */
interface RootIndex {
  modules: Map<Folder, { root: Folder; child: Folder }[]>;
  folders: Map<Folder, { root: Folder; child: Folder }[]>;
}

/**
 * The files of a repository as importable modules. Nothing is assumed about where source roots are:
 * any folder without a package file may be one, and so may `src`.
 */
export class ModuleTree implements ModuleResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #files = new Set<string>();
  /** Folders with anything in them, by path. */
  readonly #folders = new Map<string, Folder>();
  /** Name -> folders that have a child of that name. */
  readonly #parents = new Map<string, Set<Folder>>();
  #modules = new Map<string, Module | null>();
  #absolute = new Map<string, Module | null>();
  /** By name, for importers in tests and elsewhere. */
  #rootsForTests = new Map<string, RootIndex>();
  #rootsForCode = new Map<string, RootIndex>();

  /** `isTest(path)`: whether a file is test code. */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
  }

  add(path: string, touched: Set<string>): void {
    if (this.#files.has(path)) return;
    this.#files.add(path);
    this.#count(path, 1, touched);
  }

  remove(path: string, touched: Set<string>): void {
    if (!this.#files.delete(path)) return;
    this.#count(path, -1, touched);
  }

  #count(path: string, step: 1 | -1, touched: Set<string>): void {
    this.#modules = new Map();
    this.#absolute = new Map();
    this.#rootsForTests = new Map();
    this.#rootsForCode = new Map();
    let name = posix.basename(path, posix.extname(path));
    touched.add(name);
    let at: Folder | null = this.#folder(getParent(path));
    if (name === PACKAGE_FILE) {
      // The folder became, or is no longer, a package: it and all in it are found in other ways.
      touched.add(at.name);
      for (const child of at.children.keys()) touched.add(child);
    }
    // A folder is a child of the one around it as long as there is anything in it.
    while (at) {
      const wasEmpty = at.children.size === 0;
      const count = (at.children.get(name) ?? 0) + step;
      if (count > 0) at.children.set(name, count);
      else at.children.delete(name);
      if (count > 1 || (count === 1 && step === -1)) return;
      touched.add(name);
      this.#link(at, name, step);
      const isEmpty = at.children.size === 0;
      if (wasEmpty === isEmpty) return;
      if (isEmpty) this.#folders.delete(at.path);
      name = at.name;
      at = at.parent;
    }
  }

  /** Notes that a folder has a child of this name, or that it no longer has. */
  #link(folder: Folder, name: string, step: 1 | -1): void {
    const parents = getOrAdd(this.#parents, name, () => new Set<Folder>());
    if (step === 1) parents.add(folder);
    else parents.delete(folder);
    if (parents.size === 0) this.#parents.delete(name);
  }

  /** The folder at a path, made with those around it where there is none. */
  #folder(path: string): Folder {
    const missing: string[] = [];
    let at = path;
    while (!this.#folders.has(at) && at !== '') {
      missing.push(at);
      at = getParent(at);
    }
    const make = (own: string, parent: Folder | null) => {
      const folder = { path: own, name: posix.basename(own), parent, children: new Map() };
      this.#folders.set(own, folder);
      return folder;
    };
    let folder: Folder = this.#folders.get(at) ?? make(at, null);
    for (const own of missing.reverse()) folder = make(own, folder);
    return folder;
  }

  imported(importer: string, { module, level }: ImportFact): Imported {
    const names = module === '' ? [] : module.split('.');
    if (level === 0) return { module: this.absolute(importer, names), names };
    const found = this.relative(importer, level, names);
    // `from . import x` does not say the name of the package it looks into.
    return {
      module: found,
      names: found?.folder ? [...names, posix.basename(found.folder)] : names,
    };
  }

  /** `import a.b` binds a; `import a.b as c` binds a.b. */
  bound(importer: string, { module, local }: ImportFact, named: Module): Module {
    const first = module.split('.', 1);
    return local === first[0] ? (this.absolute(importer, first) ?? named) : named;
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
      const folder = packageFile || (!file && this.#folders.has(path)) ? path : null;
      module = file === null && folder === null ? null : { file, folder };
      this.#modules.set(path, module);
    }
    return module;
  }

  #packageFile(folder: string): string | null {
    return this.#moduleFile(folder === '' ? PACKAGE_FILE : `${folder}/${PACKAGE_FILE}`);
  }

  #moduleFile(stem: string): string | null {
    for (const extension of EXTENSIONS)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /**
   * The module that `import names[0].names[1]...` finds from a file, or null when it lies outside the
   * repository. Of several source roots that could hold it, the nearest to the importing file wins.
   */
  absolute(importer: string, names: readonly string[]): Module | null {
    const from = getParent(importer);
    const key = `${from}:${names.join('.')}`;
    let module = this.#absolute.get(key);
    if (module === undefined) {
      module = null;
      let tried = 0;
      for (const root of this.#rootsOf(names[0] ?? '', importer, from)) {
        module = this.#walk(root.path, names);
        if (module || ++tried === MOST_ROOTS) break;
      }
      this.#absolute.set(key, module);
    }
    return module;
  }

  /** The module of `level` leading dots followed by `names`, or null. */
  relative(importer: string, level: number, names: readonly string[]): Module | null {
    let folder = getParent(importer);
    for (let up = 1; up < level; up++) {
      if (folder === '') return null;
      folder = getParent(folder);
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

  /**
   * Source roots that hold a module of this name, likeliest first: files and packages before bare folders, then the
   * nearest to the importer, then the shortest.
   */
  *#rootsOf(name: string, importer: string, from: string): Generator<Folder, void, void> {
    const parents = this.#parents.get(name);
    if (!parents) return;
    const index = this.#rootIndex(name, parents, this.#isTest(importer));
    const home = this.#folders.get(from) ?? null;
    let compared = 0;
    for (const group of ['modules', 'folders'] as const) {
      let inner: Folder | null = null;
      for (let at = home; at; inner = at, at = at.parent) {
        const isHere = parents.has(at) && this.#groupOf(at, name) === group;
        if (isHere && this.#isOwnRoot(at, name, from)) yield at;
        for (const { root, child } of index[group].get(at) ?? []) {
          if (child !== inner) yield root;
          if (++compared === MOST_COMPARED) return;
        }
      }
    }
  }

  /** Whether a folder that holds the importer is one of its source roots. */
  #isOwnRoot({ path }: Folder, name: string, from: string): boolean {
    if (path === from) return !this.#packageFile(path);
    if (path === '' || this.#isSourceRoot(path)) return true;
    return !this.#packageFile(path) && !STANDARD_MODULES.has(name);
  }

  #groupOf(root: Folder, name: string): keyof RootIndex {
    return this.child(root.path, name)?.file ? 'modules' : 'folders';
  }

  /** The source roots that importers in other folders find a name in. */
  #rootIndex(name: string, parents: ReadonlySet<Folder>, forTests: boolean): RootIndex {
    return getOrAdd(forTests ? this.#rootsForTests : this.#rootsForCode, name, () => {
      const isRoot = ({ path }: Folder) => {
        if (this.#isSourceRoot(path)) return true;
        if (this.#packageFile(path) || STANDARD_MODULES.has(name)) return false;
        return forTests || !this.#isTest(`${path}/${name}${EXTENSIONS[0]}`);
      };
      const roots = [...parents].filter((folder) => folder.path !== '' && isRoot(folder));
      roots.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
      const index: RootIndex = { modules: new Map(), folders: new Map() };
      for (const root of roots) {
        const group = index[this.#groupOf(root, name)];
        for (let child = root; child.parent; child = child.parent)
          appendTo(group, child.parent, { root, child });
      }
      return index;
    });
  }

  #isSourceRoot(folder: string): boolean {
    return SOURCE_ROOTS.has(posix.basename(folder));
  }
}
