import { getParent } from '../../../shared/address.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { formatManifestKey, listFoldersAround } from '../manifests.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';
import { readWords } from '../words.ts';
import { listPrefixes, ModuleFolders } from './module-folders.ts';

/** Import paths in the standard library. */
const STANDARD = readWords(new URL('./', import.meta.url), 'standard-packages.txt');
/** Hosts whose paths begin with an owner and a repository. */
const CODE_HOSTS = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'gitee.com',
]);
/** Modules that are never part of another repository. */
const LIBRARIES = /^(?:golang\.org\/x|google\.golang\.org)\//;
const VERSION = /^v\d+$/;

/**
 * Returns the package of a file. All files of a folder share one, except for external tests. The root's package includes its
 * declared name, because its path is empty.
 */
export function getPackage(path: string, declared = ''): string {
  const folder = getParent(path);
  if (path.endsWith('_test.go') && declared.endsWith('_test')) return `${folder}:test`;
  return folder === '' ? `:${declared}` : folder;
}

/**
 * Folders of a repository as importable packages. If no `go.mod` names the repository's own module, an import path means the
 * folder that remains without the part that names a repository.
 */
export class PackageFolders implements ModuleResolver {
  readonly #has: (namespace: string) => boolean;
  readonly #modules = new ModuleFolders();

  constructor(hasNamespace: (namespace: string) => boolean) {
    this.#has = hasNamespace;
  }

  add(): void {}

  remove(): void {}

  updateManifest(
    path: string,
    entries: readonly ManifestEntry[] | null,
    touched: Set<string>,
  ): void {
    touched.add(formatManifestKey(getParent(path)));
    for (const name of this.#modules.updateManifest(path, entries)) touched.add(name);
  }

  resolveImport(importer: string, { module }: ImportFact): ImportTarget {
    const home = this.#modules.findModuleFolder(importer);
    const names = listFoldersAround(importer).map(formatManifestKey);
    if (home !== null) names.push(...listPrefixes(module));
    const meant =
      home === null ? findPackages(importer, module) : this.#findPackagesIn(home, importer, module);
    for (const namespace of meant) {
      names.push(namespace);
      if (this.#has(namespace)) return { module: { file: null, folder: null, namespace }, names };
    }
    return { module: null, names };
  }

  /** Yields the packages that a path may mean in a file of the module in the folder `home`. */
  *#findPackagesIn(home: string, importer: string, path: string): Generator<string> {
    yield `${home === '' ? '' : `${home}/`}vendor/${path}`;
    const folder = this.#modules.findPackageFolder(importer, path);
    if (folder !== null) yield folder === '' ? `:${inferPackageName(path)}` : folder;
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  /** Returns null, because a package contains no packages: those in subfolders have their own paths. */
  getChild(): null {
    return null;
  }
}

/** Yields the packages that an import path may mean, likeliest first. */
function* findPackages(importer: string, path: string): Generator<string> {
  yield `vendor/${path}`;
  // A module may be in a subfolder of the repository.
  const folders = importer.split('/').slice(0, -1);
  for (const rest of listRests(path)) {
    if (rest === '') yield `:${inferPackageName(path)}`;
    else yield rest;
    if (!rest.includes('/')) continue;
    for (let depth = folders.length; depth > 0; depth--)
      yield `${folders.slice(0, depth).join('/')}/${rest}`;
  }
}

/**
 * Returns the possible rests of an import path without the part that names a repository, likeliest first; `''` is the
 * repository's root. Returns none for the standard library.
 */
export function listRests(path: string): string[] {
  const names = path.split('/');
  const [host = ''] = names;
  if (STANDARD.has(path) || LIBRARIES.test(path)) return [];
  const lengths = CODE_HOSTS.has(host) ? [3] : host.includes('.') ? [2, 3, 1] : [1];
  const rests = lengths
    .filter((length) => names.length >= length)
    .flatMap((length) => {
      const rest = names.slice(length);
      return [rest, rest.filter((name) => !VERSION.test(name))].map((some) => some.join('/'));
    });
  return [...new Set(rests)];
}

/** Returns the most likely name of the package of an import path. */
export function inferPackageName(path: string): string {
  const names = path.split('/');
  const isVersion = names.length > 1 && VERSION.test(names.at(-1) ?? '');
  const name = names.at(isVersion ? -2 : -1) ?? '';
  return name.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/, '');
}
