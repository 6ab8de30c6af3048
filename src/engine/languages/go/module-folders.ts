import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { foldersAround, nearestTo, within } from '../manifests.ts';

/** A `go.mod` or a `go.work`. */
interface Manifest {
  /** Path of the module; null for a workspace. */
  path: string | null;
  /** Folders by the paths of the modules that they stand for. */
  replaced: ReadonlyMap<string, string>;
  /** Folders of the modules that are used together. */
  used: ReadonlySet<string>;
}

/** The modules of a repository, by their `go.mod`, and the workspaces that hold them together. */
export class ModuleFolders {
  readonly #modules = new Map<string, Manifest>();
  readonly #works = new Map<string, Manifest>();
  readonly #foldersByPath = new Map<string, Set<string>>();

  /** Takes what a manifest says; null for one that is gone. Returns the paths whose modules are others now. */
  describe(path: string, entries: readonly ManifestEntry[] | null): string[] {
    const folder = getParent(path);
    const isWork = path.endsWith('.work');
    const manifests = isWork ? this.#works : this.#modules;
    const before = manifests.get(folder)?.path ?? null;
    const manifest = entries && manifestOf(folder, entries);
    if (before !== null) this.#foldersByPath.get(before)?.delete(folder);
    const after = manifest?.path ?? null;
    // A damaged file says nothing, not even that there is a module.
    if (manifest && (isWork || after !== null)) manifests.set(folder, manifest);
    else manifests.delete(folder);
    if (after !== null) getOrAdd(this.#foldersByPath, after, () => new Set<string>()).add(folder);
    return [before, after].filter((one) => one !== null);
  }

  /** The folder of the module that a file is in; null for none. */
  around(importer: string): string | null {
    return foldersAround(importer).find((folder) => this.#modules.has(folder)) ?? null;
  }

  /**
   * The folder that an import path means in a file of a module: that of the longest module path that it begins with, and
   * what is left of it. Null where no module of the repository has it.
   */
  folderOf(importer: string, path: string): string | null {
    const around = foldersAround(importer);
    const own = this.#modules.get(this.around(importer) ?? '');
    const work = around.flatMap((folder) => this.#works.get(folder) ?? [])[0];
    for (const prefix of prefixesOf(path)) {
      const folder =
        work?.replaced.get(prefix) ??
        own?.replaced.get(prefix) ??
        this.#nearest(importer, prefix, work?.used ?? new Set());
      if (folder !== null) return within(folder, path.slice(prefix.length));
    }
    return null;
  }

  #nearest(importer: string, path: string, used: ReadonlySet<string>): string | null {
    const folders = [...(this.#foldersByPath.get(path) ?? [])];
    const together = folders.filter((folder) => used.has(folder));
    return nearestTo(importer, together.length > 0 ? together : folders);
  }
}

/** The beginnings of an import path that may be a module's, longest first. */
export function prefixesOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, i) => names.slice(0, names.length - i).join('/'));
}

function manifestOf(folder: string, entries: readonly ManifestEntry[]): Manifest {
  const replaced = new Map<string, string>();
  const used = new Set<string>();
  let path: string | null = null;
  for (const { kind, name, to } of entries) {
    const [target = ''] = to;
    const at = kind === 'module' ? null : within(folder, target);
    if (kind === 'module') path = target;
    else if (kind === 'replace' && at !== null) replaced.set(name, at);
    else if (kind === 'use' && at !== null) used.add(at);
  }
  return { path, replaced, used };
}
