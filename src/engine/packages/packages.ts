/** The packages of a snapshot: which folders are one each, what they are called, and which a file is of. */

import { getParent } from '../../shared/address.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { PackageInfo } from '../../shared/packages.ts';
import { orderOf, packageKindOf } from './kinds.ts';

export interface PackageManifest {
  path: string;
  /** As it says; null where it says none. */
  name: string | null;
}

export interface CountedFile {
  path: string;
  chunks: number;
}

/** A package's folder, '' for the root, and what its manifests call it. */
interface Root {
  folder: string;
  name: string | null;
}

/**
 * A file is of the package whose folder is the nearest around it. What has no chunk is no package, and where there is not
 * more than one, there is none.
 */
export class Packages {
  /** By folder. */
  readonly list: readonly PackageInfo[];
  readonly #roots: ReadonlyMap<string, Root>;
  readonly #nearest = new Map<string, Root | null>();
  readonly #names: ReadonlyMap<Root, string>;

  constructor(manifests: Iterable<PackageManifest>, files: Iterable<CountedFile>) {
    this.#roots = rootsOf(manifests);
    const chunks = new Map<Root, number>();
    // Of most repositories it is known without looking at their files.
    for (const file of this.#roots.size > 1 ? files : []) {
      const root = this.#around(getParent(file.path));
      if (root && file.chunks > 0) chunks.set(root, (chunks.get(root) ?? 0) + file.chunks);
    }
    const roots = chunks.size > 1 ? [...chunks.keys()].sort(byFolder) : [];
    this.#names = namesOf(roots);
    this.list = roots.map((root) => {
      const { folder } = root;
      return { name: this.#names.get(root) ?? folder, folder, chunks: chunks.get(root) ?? 0 };
    });
  }

  /** The name of the package that a file is of; null where it is of none. */
  of(path: string): string | null {
    if (this.#names.size === 0) return null;
    const root = this.#around(getParent(path));
    return (root && this.#names.get(root)) ?? null;
  }

  #around(folder: string): Root | null {
    const outer = () => (folder === '' ? null : this.#around(getParent(folder)));
    return getOrAdd(this.#nearest, folder, () => this.#roots.get(folder) ?? outer());
  }
}

/** Of the manifests in one folder, the name is that of the first kind that has one. */
function rootsOf(manifests: Iterable<PackageManifest>): Map<string, Root> {
  const roots = new Map<string, Root>();
  const ranked = Array.from(manifests, (manifest) => {
    const kind = packageKindOf(manifest.path);
    return { ...manifest, order: kind ? orderOf(kind) : 0 };
  }).sort((a, b) => a.order - b.order || compare(a.path, b.path));
  for (const { path, name } of ranked) {
    const folder = getParent(path);
    getOrAdd<string, Root>(roots, folder, () => ({ folder, name: null })).name ??= name;
  }
  return roots;
}

/** What each is called, by which it is found: as its manifest says, else as its folder; two of a name by their folders' paths. */
function namesOf(roots: readonly Root[]): Map<Root, string> {
  const wanted = (root: Root) => root.name ?? baseOf(root.folder);
  const alike = Map.groupBy(roots, wanted);
  const names = new Map<Root, string>();
  const taken = new Set([...alike].flatMap(([name, { length }]) => (length === 1 ? [name] : [])));
  for (const root of roots) {
    let name = wanted(root);
    if ((alike.get(name)?.length ?? 0) > 1) {
      name = root.folder || ROOT;
      while (taken.has(name)) name = `./${name}`;
      taken.add(name);
    }
    names.set(root, name);
  }
  return names;
}

/** The name of a package in the root that says none. */
const ROOT = '.';

function baseOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1) || ROOT;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byFolder = (a: Root, b: Root): number => compare(a.folder, b.folder);
