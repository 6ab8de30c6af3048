import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { foldersAround, manifestKey } from '../manifests.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';
import { Crates } from './crates.ts';

/** Files that are crates of their own, or the root of one, wherever they are. */
const ROOT_FILES = new Set(['lib.rs', 'main.rs', 'build.rs']);
/** Folders of a package whose files are crates of their own. */
const CRATE_FOLDERS = new Set(['tests', 'benches', 'examples', 'bin']);
/** Crates that no repository but their own holds. */
const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
/** Of the packages that a crate's name may mean, this many are looked at. */
const MOST_PACKAGES = 64;

/** The files of a repository as modules of crates. Where no `Cargo.toml` names a crate, it goes by the name of its folder. */
export class ModuleFiles implements ModuleResolver {
  readonly #files = new Set<string>();
  /** Root files of libraries by the name of their package's folder, as code writes it. */
  readonly #libraries = new Map<string, Set<string>>();
  readonly #crates = new Crates();

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

  describe(path: string, entries: readonly ManifestEntry[] | null, touched: Set<string>): void {
    this.#crates.describe(path, entries, touched);
  }

  /** `crate::a`, `super::a`, `a::b`: as far as there are files; the rest are modules within the last of them. */
  imported(importer: string, { module }: ImportFact): Imported {
    const names = module.split('::').filter(Boolean);
    const [first = '', ...rest] = names;
    if (first === 'macro') {
      const namespace = crateOf(importer);
      return { module: { file: null, folder: null, namespace }, names: [] };
    }
    const depends = this.#namesAround(importer);
    let at = this.#start(importer, first, depends);
    for (const name of rest) {
      if (!at) break;
      at = name === 'super' ? this.#parent(at) : (this.child(at.folder ?? '', name) ?? at);
    }
    return { module: at, names: [...names, ...depends] };
  }

  /** Paths in code begin with these without any `use`, and with the names of crates. */
  named(importer: string, name: string): Imported {
    const depends = this.#namesAround(importer);
    return { module: this.#start(importer, name, depends), names: [name, ...depends] };
  }

  /** `names` receives what the answer depends on beside the name itself. */
  #start(importer: string, first: string, names: Set<string>): Module | null {
    if (first === 'crate') return this.#root(importer);
    if (first === 'self') return this.#moduleAt(importer);
    if (first === 'super') return this.#parent(this.#moduleAt(importer));
    if (STANDARD.has(first)) return null;
    const { folder } = this.#moduleAt(importer);
    return this.child(folder ?? '', first) ?? this.#library(importer, first, names);
  }

  /** Names of the modules and manifests that `super` and `crate` may mean in a file, or that a crate is found by. */
  #namesAround(importer: string): Set<string> {
    const roots = this.#crates.rootsAround(importer).map((root) => posix.basename(root, '.rs'));
    const keys = foldersAround(importer).map(manifestKey);
    return new Set([...importer.split('/').slice(0, -1), ROOT, ...roots, ...keys]);
  }

  #moduleAt(file: string): Module {
    return this.#isRoot(file) ? { file, folder: getParent(file) } : moduleAt(file);
  }

  #isRoot(file: string): boolean {
    return isRoot(file) || this.#crates.isRoot(file);
  }

  /** The module around one: itself where it is the root of its crate. */
  #parent(module: Module): Module {
    if (module.file === null || this.#isRoot(module.file)) return module;
    const folder = getParent(module.folder ?? '');
    return this.#standsFor(folder) ?? module;
  }

  /** The root of the crate that a file is in. */
  #root(importer: string): Module | null {
    if (this.#isRoot(importer)) return this.#moduleAt(importer);
    for (let folder = getParent(importer); ; folder = getParent(folder)) {
      const file = this.#rootsIn(folder, importer).find(this.#has);
      if (file !== undefined) return { file, folder };
      if (folder === '') return null;
      if (isCrateFolder(folder)) return null;
    }
  }

  /** Files of a folder that may be the root of the crate that another is in. */
  #rootsIn(folder: string, importer: string): string[] {
    const named = this.#crates.rootsAround(importer).filter((root) => getParent(root) === folder);
    return [
      ...named.slice(0, 1),
      ...['lib.rs', 'main.rs'].map((name) => join(folder, name)),
      ...named,
    ];
  }

  /** The module whose files below it are in a folder. */
  #standsFor(folder: string): Module | null {
    const names = [
      `${folder}.rs`,
      join(folder, 'mod.rs'),
      ...this.#rootsIn(folder, join(folder, 'mod.rs')),
    ];
    const file = names.find(this.#has);
    return file === undefined ? null : { file, folder };
  }

  /** The library of a crate's name: as a manifest tells, or of a package whose folder has it, or the last words of it. */
  #library(importer: string, name: string, names: Set<string>): Module | null {
    const file = this.#crates.library(importer, name, names);
    if (file === undefined) return this.#inferredLibrary(importer, name);
    if (file === null) return null;
    names.add(posix.basename(file, '.rs'));
    return this.#has(file) ? this.#moduleAt(file) : null;
  }

  #inferredLibrary(importer: string, name: string): Module | null {
    const exact = [...(this.#libraries.get(name) ?? [])];
    const found = exact.length > 0 ? exact : this.#librariesLike(name);
    const [first, ...others] = found.slice(0, MOST_PACKAGES);
    if (first === undefined) return null;
    const file = others.reduce((best, one) => (isNearer(importer, one, best) ? one : best), first);
    return { file, folder: getParent(file) };
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
  return { file, folder: isFolder ? getParent(file) : file.slice(0, -'.rs'.length) };
}

function isRoot(file: string): boolean {
  return ROOT_FILES.has(posix.basename(file)) || isCrateFolder(getParent(file));
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
  const folder = getParent(path);
  const package_ = posix.basename(folder) === 'src' ? getParent(folder) : folder;
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
