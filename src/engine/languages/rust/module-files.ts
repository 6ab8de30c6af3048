import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { formatManifestKey, listFoldersAround } from '../manifests.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';
import { CrateGraph } from './crates.ts';

/** Files that are the root of a crate in any folder. */
const ROOT_FILES = new Set(['lib.rs', 'main.rs', 'build.rs']);
/** Folders of a package in which each file is a crate. */
const CRATE_FOLDERS = new Set(['tests', 'benches', 'examples', 'bin']);
/** Crates of the standard library, which no other repository contains. */
const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
/** Maximum number of packages that are examined for a crate's name. */
const MAX_PACKAGES = 64;

/** Files of a repository as modules of crates. A crate without a name in a `Cargo.toml` has the name of its folder. */
export class ModuleFiles implements ModuleResolver {
  readonly #files = new Set<string>();
  /** Root files of libraries by the name of their package's folder, in the form used in code. */
  readonly #libraries = new Map<string, Set<string>>();
  readonly #crates = new CrateGraph();

  add(path: string, touched: Set<string>): void {
    this.#files.add(path);
    const name = getLibraryName(path);
    if (name !== null) getOrAdd(this.#libraries, name, () => new Set<string>()).add(path);
    reportChanged(path, touched);
  }

  remove(path: string, touched: Set<string>): void {
    this.#files.delete(path);
    const name = getLibraryName(path);
    if (name !== null) this.#libraries.get(name)?.delete(path);
    reportChanged(path, touched);
  }

  updateManifest(
    path: string,
    entries: readonly ManifestEntry[] | null,
    touched: Set<string>,
  ): void {
    this.#crates.updateManifest(path, entries, touched);
  }

  /** Resolves `crate::a`, `super::a`, `a::b` as far as there are files. The remaining names are modules inside the last file. */
  resolveImport(importer: string, { module }: ImportFact): ImportTarget {
    const names = module.split('::').filter(Boolean);
    const [first = '', ...rest] = names;
    if (first === 'macro') {
      const namespace = getCrate(importer);
      return { module: { file: null, folder: null, namespace }, names: [] };
    }
    const depends = this.#collectNames(importer);
    let at = this.#resolveFirst(importer, first, depends);
    for (const name of rest) {
      if (!at) break;
      at = name === 'super' ? this.#getParent(at) : (this.getChild(at.folder ?? '', name) ?? at);
    }
    return { module: at, names: [...names, ...depends] };
  }

  /** Resolves `crate`, `super` and the like, and names of crates, with which paths may begin without a `use`. */
  resolveName(importer: string, name: string): ImportTarget {
    const depends = this.#collectNames(importer);
    return { module: this.#resolveFirst(importer, name, depends), names: [name, ...depends] };
  }

  /** Resolves the first name of a path. `names` receives the other names on which the answer depends. */
  #resolveFirst(importer: string, first: string, names: Set<string>): RepositoryModule | null {
    if (first === 'crate') return this.#findRoot(importer);
    if (first === 'self') return this.#createModule(importer);
    if (first === 'super') return this.#getParent(this.#createModule(importer));
    if (STANDARD.has(first)) return null;
    const { folder } = this.#createModule(importer);
    return this.getChild(folder ?? '', first) ?? this.#findLibrary(importer, first, names);
  }

  /** Returns the names of modules and manifests on which `super`, `crate` and crate names in a file depend. */
  #collectNames(importer: string): Set<string> {
    const roots = this.#crates.findRoots(importer).map((root) => posix.basename(root, '.rs'));
    const keys = listFoldersAround(importer).map(formatManifestKey);
    return new Set([...importer.split('/').slice(0, -1), ROOT, ...roots, ...keys]);
  }

  #createModule(file: string): RepositoryModule {
    return this.#isRoot(file) ? { file, folder: getParent(file) } : createModule(file);
  }

  #isRoot(file: string): boolean {
    return isRoot(file) || this.#crates.isRoot(file);
  }

  /** Returns the parent of a module; the module itself if it is the root of its crate. */
  #getParent(module: RepositoryModule): RepositoryModule {
    if (module.file === null || this.#isRoot(module.file)) return module;
    const folder = getParent(module.folder ?? '');
    return this.#findFolderModule(folder) ?? module;
  }

  /** Returns the root of the crate that contains a file. */
  #findRoot(importer: string): RepositoryModule | null {
    if (this.#isRoot(importer)) return this.#createModule(importer);
    for (let folder = getParent(importer); ; folder = getParent(folder)) {
      const file = this.#listRoots(folder, importer).find(this.#has);
      if (file !== undefined) return { file, folder };
      if (folder === '') return null;
      if (isCrateFolder(folder)) return null;
    }
  }

  /** Returns the files of a folder that may be the root of the importer's crate. */
  #listRoots(folder: string, importer: string): string[] {
    const named = this.#crates.findRoots(importer).filter((root) => getParent(root) === folder);
    return [
      ...named.slice(0, 1),
      ...['lib.rs', 'main.rs'].map((name) => join(folder, name)),
      ...named,
    ];
  }

  /** Returns the module whose submodules are in a folder. */
  #findFolderModule(folder: string): RepositoryModule | null {
    const names = [
      `${folder}.rs`,
      join(folder, 'mod.rs'),
      ...this.#listRoots(folder, join(folder, 'mod.rs')),
    ];
    const file = names.find(this.#has);
    return file === undefined ? null : { file, folder };
  }

  /** Returns the library of a crate's name: from a manifest, or from a package whose folder has the name or its last words. */
  #findLibrary(importer: string, name: string, names: Set<string>): RepositoryModule | null {
    const file = this.#crates.findLibrary(importer, name, names);
    if (file === undefined) return this.#inferLibrary(importer, name);
    if (file === null) return null;
    names.add(posix.basename(file, '.rs'));
    return this.#has(file) ? this.#createModule(file) : null;
  }

  #inferLibrary(importer: string, name: string): RepositoryModule | null {
    const exact = [...(this.#libraries.get(name) ?? [])];
    const found = exact.length > 0 ? exact : this.#findSimilarLibraries(name);
    const [first, ...others] = found.slice(0, MAX_PACKAGES);
    if (first === undefined) return null;
    const file = others.reduce((best, one) => (isNearer(importer, one, best) ? one : best), first);
    return { file, folder: getParent(file) };
  }

  /** Finds libraries in folders of similar names: `grep_printer` may be in `crates/printer`, and `clap` at the root next to `clap_*`. */
  #findSimilarLibraries(name: string): string[] {
    const last = name.slice(name.indexOf('_') + 1);
    const below = last === name ? [] : [...(this.#libraries.get(last) ?? [])];
    if (below.length > 0) return below;
    const atRoot = [...(this.#libraries.get('') ?? [])];
    const hasKin = this.#libraries.keys().some((other) => other.startsWith(`${name}_`));
    return hasKin ? atRoot : [];
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(folder: string, name: string): RepositoryModule | null {
    const inner = join(folder, name);
    const file = [`${inner}.rs`, `${inner}/mod.rs`].find(this.#has);
    return file === undefined ? null : { file, folder: inner };
  }

  readonly #has = (path: string): boolean => this.#files.has(path);
}

/** Name of the root of any crate among the names of modules. */
const ROOT = '/';

/** Returns the crate of a file by its path: the package's folder, followed by the file if it is a separate crate. */
export function getCrate(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findIndex((name) => name === 'src' || CRATE_FOLDERS.has(name));
  if (at >= 0) return folders.slice(0, folders[at] === 'src' ? at : at + 2).join('/');
  return folders[0] === 'crates' ? folders.slice(0, 2).join('/') : (folders[0] ?? '');
}

function createModule(file: string): RepositoryModule {
  const own = posix.basename(file);
  const isFolder = own === 'mod.rs' || isRoot(file);
  return { file, folder: isFolder ? getParent(file) : file.slice(0, -'.rs'.length) };
}

function isRoot(file: string): boolean {
  return ROOT_FILES.has(posix.basename(file)) || isCrateFolder(getParent(file));
}

/** Returns true if each file of a folder is a crate, as in `tests` and `src/bin`, but not in `src/a/tests`. */
function isCrateFolder(folder: string): boolean {
  const names = folder.split('/');
  const last = names.pop() ?? '';
  return CRATE_FOLDERS.has(last) && (last === 'bin' || !names.includes('src'));
}

/** Returns the name of the package's folder for the root file of its library; null for any other file. */
function getLibraryName(path: string): string | null {
  if (posix.basename(path) !== 'lib.rs') return null;
  const folder = getParent(path);
  const package_ = posix.basename(folder) === 'src' ? getParent(folder) : folder;
  return posix.basename(package_).replaceAll('-', '_');
}

/** Adds the names that may now mean another module. */
function reportChanged(path: string, touched: Set<string>): void {
  const { file, folder } = createModule(path);
  touched.add(posix.basename(folder ?? ''));
  if (file !== null && (isRoot(file) || file.endsWith('/mod.rs'))) touched.add(ROOT);
}

/** Returns true if `one` has more folders in common with the importer than `other`. */
function isNearer(importer: string, one: string, other: string): boolean {
  return countCommonFolders(importer, one) > countCommonFolders(importer, other);
}

function countCommonFolders(a: string, b: string): number {
  const [own, others] = [a.split('/'), b.split('/')];
  const differs = own.findIndex((name, n) => name !== others[n]);
  return differs < 0 ? own.length : differs;
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
