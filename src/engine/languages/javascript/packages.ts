import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { findNearest, isWithin, listFoldersAround, resolveWithin } from '../manifests.ts';
import { matchesGlob } from './glob.ts';
import { findTargets } from './patterns.ts';

/** Maximum number of packages of one name that are compared. */
const MAX_COMPARED = 1024;

/** Meaning of a package's name: a package of the repository, or certainly an external one. */
export type PackageMeaning = { folder: string } | 'outside';

interface Package {
  name: string | null;
  /** Main file, under all its names. */
  main: readonly string[];
  exports: readonly ManifestEntry[];
  imports: readonly ManifestEntry[];
  /** Dependencies by name: empty for one from a registry, else the kind and target of its source. */
  dependencies: ReadonlyMap<string, readonly string[]>;
}

/** Packages of a repository by their `package.json`, and their dependencies on each other. */
export class NodePackages {
  readonly #byFolder = new Map<string, Package>();
  readonly #foldersByName = new Map<string, Set<string>>();
  /** Patterns of a workspace's folders, by the path of its manifest. */
  readonly #workspaces = new Map<string, readonly string[]>();

  /** Updates a manifest; null if it was removed. Returns the names that now mean another package. */
  updateManifest(path: string, entries: readonly ManifestEntry[] | null): string[] {
    const patterns = entries?.filter(({ kind }) => kind === 'workspaces').flatMap(({ to }) => to);
    if (patterns && patterns.length > 0) this.#workspaces.set(path, patterns);
    else this.#workspaces.delete(path);
    if (!isPackage(path)) return [];
    const folder = getParent(path);
    const before = this.#byFolder.get(folder)?.name ?? null;
    const after = entries && createPackage(entries);
    if (before !== null) this.#foldersByName.get(before)?.delete(folder);
    if (after) this.#byFolder.set(folder, after);
    else this.#byFolder.delete(folder);
    const name = after?.name ?? null;
    if (name !== null) getOrAdd(this.#foldersByName, name, () => new Set<string>()).add(folder);
    return [before, name].filter((one) => one !== null);
  }

  /** Returns the folder of the package that contains a file; null if none exists. */
  findPackageFolder(path: string): string | null {
    return listFoldersAround(path).find((folder) => this.#byFolder.has(folder)) ?? null;
  }

  /** Returns the name of the package in a folder. */
  getName(folder: string): string | null {
    return this.#byFolder.get(folder)?.name ?? null;
  }

  /** Returns the meaning of a package's name in a file; null if no manifest tells. */
  resolvePackage(importer: string, name: string): PackageMeaning | null {
    const around = listFoldersAround(importer);
    const folders = [...(this.#foldersByName.get(name) ?? [])];
    if (folders.length > MAX_COMPARED) return null;
    // The root of a workspace may have the same name as its main package.
    const own = around.find(
      (folder) => this.getName(folder) === name && this.#getPatterns(folder).length === 0,
    );
    if (own !== undefined) return { folder: own };
    const dependency = this.#findDependency(around, name);
    if (dependency?.folder !== undefined) return { folder: dependency.folder };
    const known = dependency ? this.#listFolders(dependency.name) : folders;
    const workspaces = this.#findWorkspaces(around);
    for (const root of workspaces) {
      const members = known.filter((folder) => folder !== root && this.#isMember(root, folder));
      const isRoot = members.length === 0 && known.includes(root);
      const folder = isRoot ? root : findNearest(importer, members);
      if (folder !== null) return { folder };
    }
    // Without a workspace, tools other than a package manager may link a package of that name.
    if (workspaces.length === 0 && known.length > 0) {
      const folder = findNearest(importer, known);
      return folder === null ? null : { folder };
    }
    return dependency ? 'outside' : null;
  }

  /** Returns the paths that a name within a package may mean, likeliest first; null if its manifest does not tell. An empty name is the package. */
  resolveExport(folder: string, inner: string): string[] | null {
    const { exports = [], main = [] } = this.#byFolder.get(folder) ?? {};
    if (exports.length > 0) {
      const targets = findTargets(inner === '' ? '.' : `./${inner}`, exports);
      return targets && resolvePaths(folder, targets);
    }
    return inner === '' && main.length > 0 ? resolvePaths(folder, main) : null;
  }

  /** Returns the meaning of `#name` in the package of a file: paths of the repository, or another package's name. */
  resolveInternal(
    importer: string,
    name: string,
  ): { folder: string; paths: string[]; other: string | null } | null {
    const folder = this.findPackageFolder(importer);
    const { imports = [] } = (folder !== null && this.#byFolder.get(folder)) || {};
    const targets = findTargets(name, imports);
    if (folder === null || targets === null) return null;
    const other = targets.find((target) => !target.startsWith('.')) ?? null;
    return {
      folder,
      paths: resolvePaths(
        folder,
        targets.filter((target) => target.startsWith('.')),
      ),
      other,
    };
  }

  #listFolders(name: string): string[] {
    return [...(this.#foldersByName.get(name) ?? [])];
  }

  /** Returns how the packages around a file depend on a name: on a folder, or on a package of that name. */
  #findDependency(
    around: readonly string[],
    name: string,
  ): { folder?: string; name: string } | null {
    for (const folder of around) {
      const found = this.#byFolder.get(folder)?.dependencies.get(name);
      if (!found) continue;
      const [how, target = ''] = found;
      const path = how === 'path' ? resolveWithin(folder, target) : null;
      if (path !== null) return { folder: path, name };
      return { name: how === 'package' ? target : name };
    }
    return null;
  }

  /** Returns the roots of the workspaces that contain some folders, innermost first. */
  #findWorkspaces(around: readonly string[]): string[] {
    return around.filter((folder) => this.#getPatterns(folder).length > 0);
  }

  #getPatterns(root: string): readonly string[] {
    const at = root === '' ? '' : `${root}/`;
    return ['package.json', 'pnpm-workspace.yaml'].flatMap(
      (name) => this.#workspaces.get(at + name) ?? [],
    );
  }

  /** Returns true if a folder is in the workspace of a root, by the last pattern that matches. */
  #isMember(root: string, folder: string): boolean {
    if (!isWithin(root, folder)) return false;
    const path = root === '' ? folder : folder.slice(root.length + 1);
    const last = this.#getPatterns(root).findLast((one) =>
      matchesGlob(one.replace(/^!/, ''), path),
    );
    return last !== undefined && !last.startsWith('!');
  }
}

function createPackage(entries: readonly ManifestEntry[]): Package {
  const selectKind = (kind: string) => entries.filter((entry) => entry.kind === kind);
  return {
    name: selectKind('name')[0]?.to[0] ?? null,
    main: selectKind('main').flatMap(({ to }) => to),
    exports: selectKind('exports'),
    imports: selectKind('imports'),
    // Includes development dependencies. If a name is repeated, the first entry takes precedence.
    dependencies: new Map(
      selectKind('dependency')
        .toReversed()
        .map(({ name, to }) => [name, to]),
    ),
  };
}

function resolvePaths(folder: string, targets: readonly string[]): string[] {
  return targets.map((target) => resolveWithin(folder, target)).filter((path) => path !== null);
}

function isPackage(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}
