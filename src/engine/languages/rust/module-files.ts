import { posix } from 'node:path';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import { parentOf } from '../../../shared/parent-of.ts';
import type { ImportFact } from '../facts.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';

/** Files that are crates of their own, or the root of one, wherever they are. */
const ROOT_FILES = new Set(['lib.rs', 'main.rs', 'build.rs']);
/** Folders of a package whose files are crates of their own. */
const CRATE_FOLDERS = new Set(['tests', 'benches', 'examples', 'bin']);
/** Crates that no repository but their own holds. */
const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
/** Of the packages that a crate's name may mean, this many are looked at. */
const MOST_PACKAGES = 64;

/** The files of a repository as modules of crates. Manifests are not asked: crates are named after their folders. */
export class ModuleFiles implements ModuleResolver {
  readonly #files = new Set<string>();
  /** Root files of libraries by the name of their package's folder, as code writes it. */
  readonly #libraries = new Map<string, Set<string>>();

  add(path: string, touched: Set<string>): void {
    this.#files.add(path);
    const name = libraryName(path);
    if (name !== null) getOrAdd(this.#libraries, name, () => new Set<string>()).add(path);
    touch(path, touched);
  }

  remove(path: string, touched: Set<string>): void {
    this.#files.delete(path);
    const name = libraryName(path);
    if (name !== null) this.#libraries.get(name)?.delete(path);
    touch(path, touched);
  }

  /** `crate::a`, `super::a`, `a::b`: as far as there are files; the rest are modules within the last of them. */
  imported(importer: string, { module }: ImportFact): Imported {
    const names = module.split('::').filter(Boolean);
    const [first = '', ...rest] = names;
    if (first === 'macro') {
      const namespace = crateOf(importer);
      return { module: { file: null, folder: null, namespace }, names: [] };
    }
    let at = this.#start(importer, first);
    for (const name of rest) {
      if (!at) break;
      at = name === 'super' ? this.#parent(at) : (this.child(at.folder ?? '', name) ?? at);
    }
    return { module: at, names: [...names, ...namesAround(importer)] };
  }

  /** Paths in code begin with these without any `use`, and with the names of crates. */
  named(importer: string, name: string): Imported {
    return { module: this.#start(importer, name), names: [name, ...namesAround(importer)] };
  }

  #start(importer: string, first: string): Module | null {
    if (first === 'crate') return this.#root(importer);
    if (first === 'self') return moduleAt(importer);
    if (first === 'super') return this.#parent(moduleAt(importer));
    if (STANDARD.has(first)) return null;
    const { folder } = moduleAt(importer);
    return this.child(folder ?? '', first) ?? this.#library(importer, first);
  }

  /** The module around one: itself where it is the root of its crate. */
  #parent(module: Module): Module {
    if (module.file === null || isRoot(module.file)) return module;
    const folder = parentOf(module.folder ?? '');
    return this.#standsFor(folder) ?? module;
  }

  /** The root of the crate that a file is in. */
  #root(importer: string): Module | null {
    if (isRoot(importer)) return moduleAt(importer);
    for (let folder = parentOf(importer); ; folder = parentOf(folder)) {
      const file = ['lib.rs', 'main.rs'].map((name) => join(folder, name)).find(this.#has);
      if (file !== undefined) return { file, folder };
      if (folder === '') return null;
      if (isCrateFolder(folder)) return null;
    }
  }

  /** The module whose files below it are in a folder. */
  #standsFor(folder: string): Module | null {
    const names = [
      `${folder}.rs`,
      ...['mod.rs', 'lib.rs', 'main.rs'].map((name) => join(folder, name)),
    ];
    const file = names.find(this.#has);
    return file === undefined ? null : { file, folder };
  }

  /** The library of a crate's name: of a package whose folder has it, or the last words of it. */
  #library(importer: string, name: string): Module | null {
    const exact = [...(this.#libraries.get(name) ?? [])];
    const found = exact.length > 0 ? exact : this.#librariesLike(name);
    const [first, ...others] = found.slice(0, MOST_PACKAGES);
    if (first === undefined) return null;
    const file = others.reduce((best, one) => (isNearer(importer, one, best) ? one : best), first);
    return { file, folder: parentOf(file) };
  }

  /** `grep_printer` may be in `crates/printer`; `clap` at the root, where other packages are `clap_*`. */
  #librariesLike(name: string): string[] {
    const last = name.slice(name.indexOf('_') + 1);
    const below = last === name ? [] : [...(this.#libraries.get(last) ?? [])];
    if (below.length > 0) return below;
    const atRoot = [...(this.#libraries.get('') ?? [])];
    const hasKin = this.#libraries.keys().some((other) => other.startsWith(`${name}_`));
    return hasKin ? atRoot : [];
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  child(folder: string, name: string): Module | null {
    const inner = join(folder, name);
    const file = [`${inner}.rs`, `${inner}/mod.rs`].find(this.#has);
    return file === undefined ? null : { file, folder: inner };
  }

  readonly #has = (path: string): boolean => this.#files.has(path);
}

/** What stands for any root of a crate among the names of modules. */
const ROOT = '/';

/** Names of the modules that `super` and `crate` may mean in a file. */
function namesAround(importer: string): string[] {
  return [...importer.split('/').slice(0, -1), ROOT];
}

/** The crate of a file, as far as its path tells: the package's folder, and the file where it is a crate of its own. */
export function crateOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findIndex((name) => name === 'src' || CRATE_FOLDERS.has(name));
  if (at >= 0) return folders.slice(0, folders[at] === 'src' ? at : at + 2).join('/');
  return folders[0] === 'crates' ? folders.slice(0, 2).join('/') : (folders[0] ?? '');
}

function moduleAt(file: string): Module {
  const own = posix.basename(file);
  const isFolder = own === 'mod.rs' || isRoot(file);
  return { file, folder: isFolder ? parentOf(file) : file.slice(0, -'.rs'.length) };
}

function isRoot(file: string): boolean {
  return ROOT_FILES.has(posix.basename(file)) || isCrateFolder(parentOf(file));
}

/** Whether each file of a folder is a crate: those of `tests` and `src/bin`, not those of `src/a/tests`. */
function isCrateFolder(folder: string): boolean {
  const names = folder.split('/');
  const last = names.pop() ?? '';
  return CRATE_FOLDERS.has(last) && (last === 'bin' || !names.includes('src'));
}

/** The name of the package's folder for the root file of its library; null for all other files. */
function libraryName(path: string): string | null {
  if (posix.basename(path) !== 'lib.rs') return null;
  const folder = parentOf(path);
  const package_ = posix.basename(folder) === 'src' ? parentOf(folder) : folder;
  return posix.basename(package_).replaceAll('-', '_');
}

/** Tells which names may now mean another module. */
function touch(path: string, touched: Set<string>): void {
  const { file, folder } = moduleAt(path);
  touched.add(posix.basename(folder ?? ''));
  if (file !== null && (isRoot(file) || file.endsWith('/mod.rs'))) touched.add(ROOT);
}

/** Whether a file has more folders in common with the importer than another has. */
function isNearer(importer: string, one: string, other: string): boolean {
  return commonFolders(importer, one) > commonFolders(importer, other);
}

function commonFolders(a: string, b: string): number {
  const [own, others] = [a.split('/'), b.split('/')];
  const differs = own.findIndex((name, n) => name !== others[n]);
  return differs < 0 ? own.length : differs;
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
