import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { findNearest, formatManifestKey, listFoldersAround, resolveWithin } from '../manifests.ts';

/** Maximum number of packages of one name that are compared. */
const MAX_COMPARED = 1024;

/** Kind of a dependency's source, and its target, as in entries. */
type DependencySource = readonly string[];

interface Package {
  /** Name in code; null for a workspace without its own package. */
  name: string | null;
  library: { name: string | null; path: string };
  /** Files that are roots of crates, in addition to those with standard names. */
  roots: readonly string[];
  dependencies: ReadonlyMap<string, DependencySource>;
  isWorkspace: boolean;
  shared: ReadonlyMap<string, DependencySource>;
  patches: ReadonlyMap<string, DependencySource>;
}

/** Packages of a repository by their `Cargo.toml`, and the crate names by which they depend on each other. */
export class CrateGraph {
  readonly #byFolder = new Map<string, Package>();
  readonly #foldersByName = new Map<string, Set<string>>();
  /** Number of manifests that declare a file as the root of a crate, by file. */
  readonly #roots = new Map<string, number>();

  /** Updates a manifest; null if it was removed. `touched` receives the names that may now have another meaning. */
  updateManifest(
    path: string,
    entries: readonly ManifestEntry[] | null,
    touched: Set<string>,
  ): void {
    const folder = getParent(path);
    touched.add(formatManifestKey(folder));
    const before = this.#byFolder.get(folder);
    const after = entries && createPackage(folder, entries);
    if (before) this.#countRoots(before, -1);
    if (after) this.#countRoots(after, 1);
    if (after) this.#byFolder.set(folder, after);
    else this.#byFolder.delete(folder);
    for (const name of before ? listNames(before) : [])
      this.#foldersByName.get(name)?.delete(folder);
    for (const name of after ? listNames(after) : [])
      getOrAdd(this.#foldersByName, name, () => new Set<string>()).add(folder);
    for (const one of [before, after]) {
      if (!one) continue;
      for (const name of listNames(one)) touched.add(name);
      for (const root of listRoots(one)) touched.add(formatManifestKey(getParent(root)));
    }
  }

  /** Returns true if a manifest declares a file as the root of a crate. */
  isRoot(file: string): boolean {
    return this.#roots.has(file);
  }

  /** Returns the roots of crates in the nearest manifest around a file, the library's first. */
  findRoots(file: string): readonly string[] {
    return listFoldersAround(file).flatMap((folder) => {
      const package_ = this.#byFolder.get(folder);
      return package_ ? listRoots(package_) : [];
    });
  }

  /**
   * Returns the root of the library that a name means in a file, even if that file is missing; null for an external library,
   * undefined if no manifest tells. `names` receives the names on which the answer depends.
   */
  findLibrary(importer: string, name: string, names: Set<string>): string | null | undefined {
    const home = listFoldersAround(importer).find((folder) => this.#byFolder.get(folder)?.name);
    const package_ = home === undefined ? undefined : this.#byFolder.get(home);
    if (home === undefined || !package_) return undefined;
    if ((package_.library.name ?? package_.name) === name) return package_.library.path;
    const folder = this.#findDependency(home, package_, name, names);
    if (folder === null) return null;
    for (const around of listFoldersAround(`${folder}/`)) names.add(formatManifestKey(around));
    return this.#byFolder.get(folder)?.library.path ?? null;
  }

  /** Returns the folder of a package's dependency, by the dependency's name or the name of its library. */
  #findDependency(
    home: string,
    package_: Package,
    name: string,
    names: Set<string>,
  ): string | null {
    const found = package_.dependencies.get(name);
    if (found) return this.#findFolder(home, found, names);
    const folders = [...(this.#foldersByName.get(name) ?? [])].slice(0, MAX_COMPARED).sort();
    const isTarget = (folder: string) => {
      const { library, name: own } = this.#byFolder.get(folder) ?? {};
      const as = library?.name === name && own ? package_.dependencies.get(own) : undefined;
      return as !== undefined && this.#findFolder(home, as, names) === folder;
    };
    return folders.find(isTarget) ?? null;
  }

  /** Returns the folder of a dependency's package, for the package in the folder `home`. */
  #findFolder(
    home: string,
    [how = '', target = '']: DependencySource,
    names: Set<string>,
  ): string | null {
    if (how === 'path') return resolveWithin(home, target);
    const root = listFoldersAround(`${home}/`).find(
      (folder) => this.#byFolder.get(folder)?.isWorkspace,
    );
    const workspace = root === undefined ? undefined : this.#byFolder.get(root);
    const shared = how === 'workspace' ? workspace?.shared.get(toCrateName(target)) : undefined;
    const [by, name = ''] = shared ?? [how, target];
    if (by === 'path') return root === undefined ? null : resolveWithin(root, name);
    const patch = workspace?.patches.get(toCrateName(name));
    if (root !== undefined && patch?.[0] === 'path') return resolveWithin(root, patch[1] ?? '');
    // A dependency from the registry that has the name of a package in the repository counts as that package.
    names.add(toCrateName(name));
    const folders = [...(this.#foldersByName.get(toCrateName(name)) ?? [])];
    return folders.length > MAX_COMPARED ? null : findNearest(home, folders);
  }

  #countRoots(package_: Package, by: 1 | -1): void {
    for (const root of listRoots(package_)) {
      const count = (this.#roots.get(root) ?? 0) + by;
      if (count === 0) this.#roots.delete(root);
      else this.#roots.set(root, count);
    }
  }
}

function createPackage(folder: string, entries: readonly ManifestEntry[]): Package {
  const selectKind = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const first = (kind: string) => selectKind(kind)[0]?.to[0] ?? null;
  // If several tables contain a name, the first takes precedence.
  const table = (kind: string) =>
    new Map(
      selectKind(kind)
        .toReversed()
        .map(({ name, to }) => [toCrateName(name), to]),
    );
  const resolvePath = (path: string) => resolveWithin(folder, path) ?? '';
  const name = first('package');
  const library = first('library');
  return {
    name: name === null ? null : toCrateName(name),
    library: {
      name: library === null ? null : toCrateName(library),
      path: resolvePath(first('library-path') ?? 'src/lib.rs'),
    },
    roots: selectKind('root').flatMap(({ to }) => to.map(resolvePath)),
    dependencies: table('dependency'),
    isWorkspace: selectKind('workspace').length > 0,
    shared: table('shared'),
    patches: table('patch'),
  };
}

function listRoots({ library, roots }: Package): string[] {
  return [library.path, ...roots];
}

function listNames({ name, library }: Package): string[] {
  return [name, library.name].filter((one) => one !== null);
}

/** Converts the name of a package to that of its crate. */
function toCrateName(name: string): string {
  return name.replaceAll('-', '_');
}
