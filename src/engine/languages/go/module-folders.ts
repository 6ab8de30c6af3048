import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { findNearest, listFoldersAround, resolveWithin } from '../manifests.ts';

/** Content of a `go.mod` or a `go.work`. */
interface Manifest {
  /** Import path of the module; null for a workspace. */
  path: string | null;
  /** Folders that replace modules, by module path. */
  replaced: ReadonlyMap<string, string>;
  /** Folders of the modules in the workspace. */
  used: ReadonlySet<string>;
}

/** Modules of a repository by their `go.mod`, and workspaces that combine them. */
export class ModuleFolders {
  readonly #modules = new Map<string, Manifest>();
  readonly #works = new Map<string, Manifest>();
  readonly #foldersByPath = new Map<string, Set<string>>();

  /** Updates a manifest; null if it was removed. Returns the module paths that now mean another module. */
  updateManifest(path: string, entries: readonly ManifestEntry[] | null): string[] {
    const folder = getParent(path);
    const isWork = path.endsWith('.work');
    const manifests = isWork ? this.#works : this.#modules;
    const before = manifests.get(folder)?.path ?? null;
    const manifest = entries && createManifest(folder, entries);
    if (before !== null) this.#foldersByPath.get(before)?.delete(folder);
    const after = manifest?.path ?? null;
    // A damaged file counts as missing.
    if (manifest && (isWork || after !== null)) manifests.set(folder, manifest);
    else manifests.delete(folder);
    if (after !== null) getOrAdd(this.#foldersByPath, after, () => new Set<string>()).add(folder);
    return [before, after].filter((one) => one !== null);
  }

  /** Returns the folder of the module that contains a file; null if none exists. */
  findModuleFolder(importer: string): string | null {
    return listFoldersAround(importer).find((folder) => this.#modules.has(folder)) ?? null;
  }

  /**
   * Returns the folder of an import path in a file: the folder of the longest module path that it begins with, followed by the
   * rest of the path. Returns null if no module of the repository matches.
   */
  findPackageFolder(importer: string, path: string): string | null {
    const around = listFoldersAround(importer);
    const own = this.#modules.get(this.findModuleFolder(importer) ?? '');
    const work = around.flatMap((folder) => this.#works.get(folder) ?? [])[0];
    for (const prefix of listPrefixes(path)) {
      const folder =
        work?.replaced.get(prefix) ??
        own?.replaced.get(prefix) ??
        this.#nearest(importer, prefix, work?.used ?? new Set());
      if (folder !== null) return resolveWithin(folder, path.slice(prefix.length));
    }
    return null;
  }

  #nearest(importer: string, path: string, used: ReadonlySet<string>): string | null {
    const folders = [...(this.#foldersByPath.get(path) ?? [])];
    const together = folders.filter((folder) => used.has(folder));
    return findNearest(importer, together.length > 0 ? together : folders);
  }
}

/** Returns the prefixes of an import path that may be a module's path, longest first. */
export function listPrefixes(path: string): string[] {
  const names = path.split('/');
  return names.map((_, i) => names.slice(0, names.length - i).join('/'));
}

function createManifest(folder: string, entries: readonly ManifestEntry[]): Manifest {
  const replaced = new Map<string, string>();
  const used = new Set<string>();
  let path: string | null = null;
  for (const { kind, name, to } of entries) {
    const [target = ''] = to;
    const at = kind === 'module' ? null : resolveWithin(folder, target);
    if (kind === 'module') path = target;
    else if (kind === 'replace' && at !== null) replaced.set(name, at);
    else if (kind === 'use' && at !== null) used.add(at);
  }
  return { path, replaced, used };
}
