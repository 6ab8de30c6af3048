import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { foldersAround, isWithin, nearestTo, within } from '../manifests.ts';
import { matchesGlob } from './glob.ts';
import { targetsFor } from './patterns.ts';

/** Of packages with one name, this many are compared. */
const MOST_COMPARED = 1024;

/** What a name that an import begins with means: a package of the repository, or for certain one from elsewhere. */
export type Meaning = { folder: string } | 'outside';

interface Package {
  name: string | null;
  /** Its main file, under all its names. */
  main: readonly string[];
  exports: readonly ManifestEntry[];
  imports: readonly ManifestEntry[];
  /** What it depends on, by name: nothing for what a registry has, or how and where it is found. */
  dependencies: ReadonlyMap<string, readonly string[]>;
}

/** The packages of a repository, by their `package.json`, and how they are found from each other. */
export class Packages {
  readonly #byFolder = new Map<string, Package>();
  readonly #foldersByName = new Map<string, Set<string>>();
  /** Patterns of the folders that are one workspace with that of a manifest, by the manifest's path. */
  readonly #workspaces = new Map<string, readonly string[]>();

  /** Takes what a manifest says; null for one that is gone. Returns the names whose packages are others now. */
  describe(path: string, entries: readonly ManifestEntry[] | null): string[] {
    const patterns = entries?.filter(({ kind }) => kind === 'workspaces').flatMap(({ to }) => to);
    if (patterns && patterns.length > 0) this.#workspaces.set(path, patterns);
    else this.#workspaces.delete(path);
    if (!isPackage(path)) return [];
    const folder = getParent(path);
    const before = this.#byFolder.get(folder)?.name ?? null;
    const after = entries && packageOf(entries);
    if (before !== null) this.#foldersByName.get(before)?.delete(folder);
    if (after) this.#byFolder.set(folder, after);
    else this.#byFolder.delete(folder);
    const name = after?.name ?? null;
    if (name !== null) getOrAdd(this.#foldersByName, name, () => new Set<string>()).add(folder);
    return [before, name].filter((one) => one !== null);
  }

  /** The folder of the package that a file is in; null where there is none. */
  folderAround(path: string): string | null {
    return foldersAround(path).find((folder) => this.#byFolder.has(folder)) ?? null;
  }

  /** The name of the package in a folder. */
  nameOf(folder: string): string | null {
    return this.#byFolder.get(folder)?.name ?? null;
  }

  /** What the name of a package means for a file; null where no manifest tells. */
  meaning(importer: string, name: string): Meaning | null {
    const around = foldersAround(importer);
    const folders = [...(this.#foldersByName.get(name) ?? [])];
    if (folders.length > MOST_COMPARED) return null;
    // The root of a workspace may be called as its main package.
    const own = around.find(
      (folder) => this.nameOf(folder) === name && this.#patternsOf(folder).length === 0,
    );
    if (own !== undefined) return { folder: own };
    const dependency = this.#dependency(around, name);
    if (dependency?.folder !== undefined) return { folder: dependency.folder };
    const known = dependency ? this.#folders(dependency.name) : folders;
    const workspaces = this.#workspacesAround(around);
    for (const root of workspaces) {
      const members = known.filter((folder) => folder !== root && this.#isMember(root, folder));
      const isRoot = members.length === 0 && known.includes(root);
      const folder = isRoot ? root : nearestTo(importer, members);
      if (folder !== null) return { folder };
    }
    // Without a workspace, other tools than a package manager may link what has the name.
    if (workspaces.length === 0 && known.length > 0) {
      const folder = nearestTo(importer, known);
      return folder === null ? null : { folder };
    }
    return dependency ? 'outside' : null;
  }

  /** The paths that a name within a package may mean, likeliest first; empty is the package itself. Null where it does not say. */
  exported(folder: string, inner: string): string[] | null {
    const { exports = [], main = [] } = this.#byFolder.get(folder) ?? {};
    if (exports.length > 0) {
      const targets = targetsFor(inner === '' ? '.' : `./${inner}`, exports);
      return targets && pathsIn(folder, targets);
    }
    return inner === '' && main.length > 0 ? pathsIn(folder, main) : null;
  }

  /** What `#name` stands for in the package of a file: paths of the repository, or a name of another package. */
  internal(
    importer: string,
    name: string,
  ): { folder: string; paths: string[]; other: string | null } | null {
    const folder = this.folderAround(importer);
    const { imports = [] } = (folder !== null && this.#byFolder.get(folder)) || {};
    const targets = targetsFor(name, imports);
    if (folder === null || targets === null) return null;
    const other = targets.find((target) => !target.startsWith('.')) ?? null;
    return {
      folder,
      paths: pathsIn(
        folder,
        targets.filter((target) => target.startsWith('.')),
      ),
      other,
    };
  }

  #folders(name: string): string[] {
    return [...(this.#foldersByName.get(name) ?? [])];
  }

  /** How the packages around a file depend on a name: on a folder, or on what has a name. */
  #dependency(around: readonly string[], name: string): { folder?: string; name: string } | null {
    for (const folder of around) {
      const found = this.#byFolder.get(folder)?.dependencies.get(name);
      if (!found) continue;
      const [how, target = ''] = found;
      const path = how === 'path' ? within(folder, target) : null;
      if (path !== null) return { folder: path, name };
      return { name: how === 'package' ? target : name };
    }
    return null;
  }

  /** The roots of the workspaces that some folders are in, innermost first. */
  #workspacesAround(around: readonly string[]): string[] {
    return around.filter((folder) => this.#patternsOf(folder).length > 0);
  }

  #patternsOf(root: string): readonly string[] {
    const at = root === '' ? '' : `${root}/`;
    return ['package.json', 'pnpm-workspace.yaml'].flatMap(
      (name) => this.#workspaces.get(at + name) ?? [],
    );
  }

  /** Whether a folder is a part of the workspace of a root: the last pattern that fits says so. */
  #isMember(root: string, folder: string): boolean {
    if (!isWithin(root, folder)) return false;
    const path = root === '' ? folder : folder.slice(root.length + 1);
    const last = this.#patternsOf(root).findLast((one) => matchesGlob(one.replace(/^!/, ''), path));
    return last !== undefined && !last.startsWith('!');
  }
}

function packageOf(entries: readonly ManifestEntry[]): Package {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  return {
    name: of('name')[0]?.to[0] ?? null,
    main: of('main').flatMap(({ to }) => to),
    exports: of('exports'),
    imports: of('imports'),
    // What is said first of a name holds: a package needs what it is built with, too.
    dependencies: new Map(
      of('dependency')
        .toReversed()
        .map(({ name, to }) => [name, to]),
    ),
  };
}

function pathsIn(folder: string, targets: readonly string[]): string[] {
  return targets.map((target) => within(folder, target)).filter((path) => path !== null);
}

function isPackage(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}
