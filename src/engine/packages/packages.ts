/** Packages of a snapshot: their folders and names, and the package of each file. */

import { getParent } from '../../shared/address.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { PackageInfo } from '../../shared/packages.ts';
import { getKindPriority, getPackageKind } from './kinds.ts';

export interface PackageManifest {
  path: string;
  /** Name in the manifest; null if it has none. */
  name: string | null;
}

export interface CountedFile {
  path: string;
  chunks: number;
}

/** A package's folder, '' for the root, and its name in the manifests. */
interface PackageRoot {
  folder: string;
  name: string | null;
}

/**
 * Packages of a snapshot. A file belongs to the package in the nearest folder above it. A folder without chunks is not a
 * package, and a repository with only one package has no list.
 */
export class Packages {
  /** Packages, sorted by folder. */
  readonly list: readonly PackageInfo[];
  readonly #roots: ReadonlyMap<string, PackageRoot>;
  readonly #nearest = new Map<string, PackageRoot | null>();
  readonly #names: ReadonlyMap<PackageRoot, string>;

  constructor(manifests: Iterable<PackageManifest>, files: Iterable<CountedFile>) {
    this.#roots = groupRoots(manifests);
    const chunks = new Map<PackageRoot, number>();
    // Most repositories have at most one manifest, and then the files need not be counted.
    for (const file of this.#roots.size > 1 ? files : []) {
      const root = this.#findRoot(getParent(file.path));
      if (root && file.chunks > 0) chunks.set(root, (chunks.get(root) ?? 0) + file.chunks);
    }
    const roots = chunks.size > 1 ? [...chunks.keys()].sort(byFolder) : [];
    this.#names = chooseNames(roots);
    this.list = roots.map((root) => {
      const { folder } = root;
      return { name: this.#names.get(root) ?? folder, folder, chunks: chunks.get(root) ?? 0 };
    });
  }

  /** Returns the name of a file's package; null if it belongs to none. */
  getPackageName(path: string): string | null {
    if (this.#names.size === 0) return null;
    const root = this.#findRoot(getParent(path));
    return (root && this.#names.get(root)) ?? null;
  }

  #findRoot(folder: string): PackageRoot | null {
    const outer = () => (folder === '' ? null : this.#findRoot(getParent(folder)));
    return getOrAdd(this.#nearest, folder, () => this.#roots.get(folder) ?? outer());
  }
}

/** Groups manifests by folder. The first kind of manifest that has a name gives the package's name. */
function groupRoots(manifests: Iterable<PackageManifest>): Map<string, PackageRoot> {
  const roots = new Map<string, PackageRoot>();
  const ranked = Array.from(manifests, (manifest) => {
    const kind = getPackageKind(manifest.path);
    return { ...manifest, order: kind ? getKindPriority(kind) : 0 };
  }).sort((a, b) => a.order - b.order || compare(a.path, b.path));
  for (const { path, name } of ranked) {
    const folder = getParent(path);
    getOrAdd<string, PackageRoot>(roots, folder, () => ({ folder, name: null })).name ??= name;
  }
  return roots;
}

/** Chooses unique names: the name in the manifest, else the folder's name; packages with equal names get their folders' paths. */
function chooseNames(roots: readonly PackageRoot[]): Map<PackageRoot, string> {
  const getOwnName = (root: PackageRoot) => root.name ?? getBaseName(root.folder);
  const byName = Map.groupBy(roots, getOwnName);
  const names = new Map<PackageRoot, string>();
  const taken = new Set([...byName].flatMap(([name, { length }]) => (length === 1 ? [name] : [])));
  for (const root of roots) {
    let name = getOwnName(root);
    if ((byName.get(name)?.length ?? 0) > 1) {
      name = root.folder || ROOT_NAME;
      while (taken.has(name)) name = `./${name}`;
      taken.add(name);
    }
    names.set(root, name);
  }
  return names;
}

/** Name of a package in the root folder whose manifest has none. */
const ROOT_NAME = '.';

function getBaseName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1) || ROOT_NAME;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byFolder = (a: PackageRoot, b: PackageRoot): number => compare(a.folder, b.folder);
