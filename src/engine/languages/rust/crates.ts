import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { foldersAround, manifestKey, nearestTo, within } from '../manifests.ts';

/** Of packages with one name, this many are compared. */
const MOST_COMPARED = 1024;

/** How and where something is found, as entries have it. */
type Found = readonly string[];

interface Package {
  /** As code writes it; null for a workspace without a package of its own. */
  name: string | null;
  library: { name: string | null; path: string };
  /** Files that are roots of crates beside those that are so by their names. */
  roots: readonly string[];
  dependencies: ReadonlyMap<string, Found>;
  isWorkspace: boolean;
  shared: ReadonlyMap<string, Found>;
  patches: ReadonlyMap<string, Found>;
}

/** The packages of a repository, by their `Cargo.toml`, and the crates that they call each other. */
export class Crates {
  readonly #byFolder = new Map<string, Package>();
  readonly #foldersByName = new Map<string, Set<string>>();
  /** How many manifests name a file as the root of a crate. */
  readonly #roots = new Map<string, number>();

  /** Takes what a manifest says; null for one that is gone. `touched` receives the names that may mean something else now. */
  describe(path: string, entries: readonly ManifestEntry[] | null, touched: Set<string>): void {
    const folder = getParent(path);
    touched.add(manifestKey(folder));
    const before = this.#byFolder.get(folder);
    const after = entries && packageOf(folder, entries);
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
    if (after) this.#byFolder.set(folder, after);
    else this.#byFolder.delete(folder);
    for (const name of before ? namesOf(before) : []) this.#foldersByName.get(name)?.delete(folder);
    for (const name of after ? namesOf(after) : [])
      getOrAdd(this.#foldersByName, name, () => new Set<string>()).add(folder);
    for (const one of [before, after]) {
      if (!one) continue;
      for (const name of namesOf(one)) touched.add(name);
      for (const root of rootsOf(one)) touched.add(manifestKey(getParent(root)));
    }
  }

  /** Whether a manifest names a file as the root of a crate. */
  isRoot(file: string): boolean {
    return this.#roots.has(file);
  }

  /** The roots of crates that a manifest around a file names, that of the library first. */
  rootsAround(file: string): readonly string[] {
    return foldersAround(file).flatMap((folder) => {
      const package_ = this.#byFolder.get(folder);
      return package_ ? rootsOf(package_) : [];
    });
  }

  /**
   * The root of the library that a name means in a file, whether it is there or not; null for one from elsewhere,
   * undefined where no manifest tells. `names` receives what the answer depends on.
   */
  library(importer: string, name: string, names: Set<string>): string | null | undefined {
    const home = foldersAround(importer).find((folder) => this.#byFolder.get(folder)?.name);
    const package_ = home === undefined ? undefined : this.#byFolder.get(home);
    if (home === undefined || !package_) return undefined;
    if ((package_.library.name ?? package_.name) === name) return package_.library.path;
    const folder = this.#dependency(home, package_, name, names);
    if (folder === null) return null;
    for (const around of foldersAround(`${folder}/`)) names.add(manifestKey(around));
    return this.#byFolder.get(folder)?.library.path ?? null;
  }

  /** The folder of what a package depends on by a name: that of the dependency, or of the library that it has. */
  #dependency(home: string, package_: Package, name: string, names: Set<string>): string | null {
    const found = package_.dependencies.get(name);
    if (found) return this.#folderOf(home, found, names);
    const folders = [...(this.#foldersByName.get(name) ?? [])].slice(0, MOST_COMPARED).sort();
    const isMeant = (folder: string) => {
      const { library, name: own } = this.#byFolder.get(folder) ?? {};
      const as = library?.name === name && own ? package_.dependencies.get(own) : undefined;
      return as !== undefined && this.#folderOf(home, as, names) === folder;
    };
    return folders.find(isMeant) ?? null;
  }

  /** The folder of the package that a dependency of one in a folder means. */
  #folderOf(home: string, [how = '', target = '']: Found, names: Set<string>): string | null {
    if (how === 'path') return within(home, target);
    const root = foldersAround(`${home}/`).find(
      (folder) => this.#byFolder.get(folder)?.isWorkspace,
    );
    const workspace = root === undefined ? undefined : this.#byFolder.get(root);
    const shared = how === 'workspace' ? workspace?.shared.get(asCode(target)) : undefined;
    const [by, name = ''] = shared ?? [how, target];
    if (by === 'path') return root === undefined ? null : within(root, name);
    const patch = workspace?.patches.get(asCode(name));
    if (root !== undefined && patch?.[0] === 'path') return within(root, patch[1] ?? '');
    // A package of the repository that is taken from the registry is the same code.
    names.add(asCode(name));
    const folders = [...(this.#foldersByName.get(asCode(name)) ?? [])];
    return folders.length > MOST_COMPARED ? null : nearestTo(home, folders);
  }

  #count(package_: Package, by: 1 | -1): void {
    for (const root of rootsOf(package_)) {
      const count = (this.#roots.get(root) ?? 0) + by;
      if (count === 0) this.#roots.delete(root);
      else this.#roots.set(root, count);
    }
  }
}

function packageOf(folder: string, entries: readonly ManifestEntry[]): Package {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const first = (kind: string) => of(kind)[0]?.to[0] ?? null;
  // Of what several tables say of a name the first holds.
  const table = (kind: string) =>
    new Map(
      of(kind)
        .toReversed()
        .map(({ name, to }) => [asCode(name), to]),
    );
  const pathOf = (path: string) => within(folder, path) ?? '';
  const name = first('package');
  const library = first('library');
  return {
    name: name === null ? null : asCode(name),
    library: {
      name: library === null ? null : asCode(library),
      path: pathOf(first('library-path') ?? 'src/lib.rs'),
    },
    roots: of('root').flatMap(({ to }) => to.map(pathOf)),
    dependencies: table('dependency'),
    isWorkspace: of('workspace').length > 0,
    shared: table('shared'),
    patches: table('patch'),
  };
}

function rootsOf({ library, roots }: Package): string[] {
  return [library.path, ...roots];
}

function namesOf({ name, library }: Package): string[] {
  return [name, library.name].filter((one) => one !== null);
}

/** A package's name as that of a crate. */
function asCode(name: string): string {
  return name.replaceAll('-', '_');
}
