import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import { appendTo } from '../../../shared/lists-by-key.ts';
import type { ImportFact } from '../facts.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';
import { readWords } from '../words.ts';

const EXTENSIONS = ['.py', '.pyi', '.pyw'] as const;
/** Files that cannot be imported. */
const NOTEBOOK = /\.ipynb$/i;
/** Stem of the file that makes a folder a package. */
const PACKAGE_FILE = '__init__';
/** Folders that contain top-level modules, even if they look like packages. */
const SOURCE_ROOTS = new Set(['src', 'lib']);
/** First names of the standard library's modules, which a repository's inner folders do not shadow. */
const STANDARD_MODULES = readWords(new URL('./', import.meta.url), 'standard-modules.txt');

/** Maximum number of source roots, likeliest first, that are searched for a module. */
const MAX_ROOTS = 256;
/** Maximum number of source roots of one name that are compared to find the likeliest. */
const MAX_COMPARED = 4096;

interface Folder {
  path: string;
  name: string;
  parent: Folder | null;
  /** Names of its modules and folders -> number of files and folders of that name. */
  children: Map<string, number>;
}

/**
 * Source roots that contain one name, by each folder around them, with the child of that folder that contains the root,
 * likeliest first. Roots with a module and roots with a bare folder are separate.
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
  /** Non-empty folders, by path. */
  readonly #folders = new Map<string, Folder>();
  /** Folders that have a child, by the child's name. */
  readonly #parents = new Map<string, Set<Folder>>();
  #modules = new Map<string, RepositoryModule | null>();
  #absolute = new Map<string, RepositoryModule | null>();
  /** Source roots by name, for importers in tests, and below for all others. */
  #rootsForTests = new Map<string, RootIndex>();
  #rootsForCode = new Map<string, RootIndex>();

  /** @param isTest returns true if a file is test code */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
  }

  add(path: string, touched: Set<string>): void {
    if (NOTEBOOK.test(path) || this.#files.has(path)) return;
    this.#files.add(path);
    this.#updateCount(path, 1, touched);
  }

  remove(path: string, touched: Set<string>): void {
    if (!this.#files.delete(path)) return;
    this.#updateCount(path, -1, touched);
  }

  #updateCount(path: string, step: 1 | -1, touched: Set<string>): void {
    this.#modules = new Map();
    this.#absolute = new Map();
    this.#rootsForTests = new Map();
    this.#rootsForCode = new Map();
    let name = posix.basename(path, posix.extname(path));
    touched.add(name);
    let at: Folder | null = this.#ensureFolder(getParent(path));
    if (name === PACKAGE_FILE) {
      // The folder became a package or stopped being one, so it and its children are looked up differently.
      touched.add(at.name);
      for (const child of at.children.keys()) touched.add(child);
    }
    // A folder is a child of its parent while it is not empty.
    while (at) {
      const wasEmpty = at.children.size === 0;
      const count = (at.children.get(name) ?? 0) + step;
      if (count > 0) at.children.set(name, count);
      else at.children.delete(name);
      if (count > 1 || (count === 1 && step === -1)) return;
      touched.add(name);
      this.#setParent(at, name, step);
      const isEmpty = at.children.size === 0;
      if (wasEmpty === isEmpty) return;
      if (isEmpty) this.#folders.delete(at.path);
      name = at.name;
      at = at.parent;
    }
  }

  /** Records that a folder has a child of this name, or no longer has one. */
  #setParent(folder: Folder, name: string, step: 1 | -1): void {
    const parents = getOrAdd(this.#parents, name, () => new Set<Folder>());
    if (step === 1) parents.add(folder);
    else parents.delete(folder);
    if (parents.size === 0) this.#parents.delete(name);
  }

  /** Returns the folder at a path. Creates it and the folders around it if they are missing. */
  #ensureFolder(path: string): Folder {
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

  resolveImport(importer: string, { module, level }: ImportFact): ImportTarget {
    const names = module === '' ? [] : module.split('.');
    if (level === 0) return { module: this.resolveAbsolute(importer, names), names };
    const found = this.resolveRelative(importer, level, names);
    // `from . import x` does not contain the name of its package, on which the result depends.
    return {
      module: found,
      names: found?.folder ? [...names, posix.basename(found.folder)] : names,
    };
  }

  /** Returns the module that the local name means: `import a.b` binds a; `import a.b as c` binds a.b. */
  resolveLocal(
    importer: string,
    { module, local }: ImportFact,
    named: RepositoryModule,
  ): RepositoryModule {
    const first = module.split('.', 1);
    return local === first[0] ? (this.resolveAbsolute(importer, first) ?? named) : named;
  }

  /** Returns the module `name` in a folder, or null. A package takes precedence over a file, and a file over a bare folder. */
  getChild(folder: string, name: string): RepositoryModule | null {
    return this.#findModule(folder === '' ? name : `${folder}/${name}`);
  }

  /** Returns the module at a path without extension, or null. */
  #findModule(path: string): RepositoryModule | null {
    let module = this.#modules.get(path);
    if (module === undefined) {
      const packageFile = this.#findPackageFile(path);
      const file = packageFile ?? this.#findModuleFile(path);
      const folder = packageFile || (!file && this.#folders.has(path)) ? path : null;
      module = file === null && folder === null ? null : { file, folder };
      this.#modules.set(path, module);
    }
    return module;
  }

  #findPackageFile(folder: string): string | null {
    return this.#findModuleFile(folder === '' ? PACKAGE_FILE : `${folder}/${PACKAGE_FILE}`);
  }

  #findModuleFile(stem: string): string | null {
    for (const extension of EXTENSIONS)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /**
   * Returns the module that `import names[0].names[1]...` finds from a file, or null if it is outside the repository. Of several
   * possible source roots, the nearest to the importing file takes precedence.
   */
  resolveAbsolute(importer: string, names: readonly string[]): RepositoryModule | null {
    const from = getParent(importer);
    const key = `${from}:${names.join('.')}`;
    let module = this.#absolute.get(key);
    if (module === undefined) {
      module = null;
      let tried = 0;
      for (const root of this.#listRoots(names[0] ?? '', importer, from)) {
        module = this.#followNames(root.path, names);
        if (module || ++tried === MAX_ROOTS) break;
      }
      this.#absolute.set(key, module);
    }
    return module;
  }

  /** Returns the module of `level` leading dots followed by `names`, or null. */
  resolveRelative(
    importer: string,
    level: number,
    names: readonly string[],
  ): RepositoryModule | null {
    let folder = getParent(importer);
    for (let up = 1; up < level; up++) {
      if (folder === '') return null;
      folder = getParent(folder);
    }
    if (names.length === 0) return { file: this.#findPackageFile(folder), folder };
    return this.#followNames(folder, names);
  }

  #followNames(root: string, names: readonly string[]): RepositoryModule | null {
    let folder: string | null = root;
    let module: RepositoryModule | null = null;
    for (const name of names) {
      if (folder === null) return null;
      module = this.getChild(folder, name);
      if (!module) return null;
      folder = module.folder;
    }
    return module;
  }

  /**
   * Yields source roots with a module of this name, likeliest first: files and packages before bare folders, then the nearest to
   * the importer, then the shortest.
   */
  *#listRoots(name: string, importer: string, from: string): Generator<Folder, void, void> {
    const parents = this.#parents.get(name);
    if (!parents) return;
    const index = this.#getRootIndex(name, parents, this.#isTest(importer));
    const home = this.#findFolderAround(from);
    let compared = 0;
    for (const group of ['modules', 'folders'] as const) {
      let inner: Folder | null = null;
      for (let at = home; at; inner = at, at = at.parent) {
        const isHere = parents.has(at) && this.#getGroup(at, name) === group;
        if (isHere && this.#isOwnRoot(at, name, from)) yield at;
        for (const { root, child } of index[group].get(at) ?? []) {
          if (child !== inner) yield root;
          if (++compared === MAX_COMPARED) return;
        }
      }
    }
  }

  /** Returns a folder, or the innermost around it that has modules: that of a notebook may have none. */
  #findFolderAround(path: string): Folder | null {
    const found = this.#folders.get(path);
    return found || path === '' ? (found ?? null) : this.#findFolderAround(getParent(path));
  }

  /** Returns true if a folder around the importer is one of its source roots. */
  #isOwnRoot({ path }: Folder, name: string, from: string): boolean {
    if (path === from) return !this.#findPackageFile(path);
    if (path === '' || this.#isSourceRoot(path)) return true;
    return !this.#findPackageFile(path) && !STANDARD_MODULES.has(name);
  }

  #getGroup(root: Folder, name: string): keyof RootIndex {
    return this.getChild(root.path, name)?.file ? 'modules' : 'folders';
  }

  /** Returns the source roots in which importers in other folders find a name. */
  #getRootIndex(name: string, parents: ReadonlySet<Folder>, forTests: boolean): RootIndex {
    return getOrAdd(forTests ? this.#rootsForTests : this.#rootsForCode, name, () => {
      const isRoot = ({ path }: Folder) => {
        if (this.#isSourceRoot(path)) return true;
        if (this.#findPackageFile(path) || STANDARD_MODULES.has(name)) return false;
        return forTests || !this.#isTest(`${path}/${name}${EXTENSIONS[0]}`);
      };
      const roots = [...parents].filter((folder) => folder.path !== '' && isRoot(folder));
      roots.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
      const index: RootIndex = { modules: new Map(), folders: new Map() };
      for (const root of roots) {
        const group = index[this.#getGroup(root, name)];
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
