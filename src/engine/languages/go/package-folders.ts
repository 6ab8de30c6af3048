import { getParent } from '../../../shared/address.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { foldersAround, manifestKey } from '../manifests.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';
import { wordsIn } from '../words.ts';
import { ModuleFolders, prefixesOf } from './module-folders.ts';

/** Import paths of the standard library. */
const STANDARD = wordsIn(new URL('./', import.meta.url), 'standard-packages.txt');
/** Hosts whose paths begin with an owner and a repository. */
const FORGES = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitee.com']);
/** Modules that nobody else's repository holds. */
const LIBRARIES = /^(?:golang\.org\/x|google\.golang\.org)\//;
const VERSION = /^v\d+$/;

/**
 * The package of a file, which all files of a folder share but for tests that look at it from outside. The root's has its
 * name too: an import path says nothing else of it.
 */
export function packageOf(path: string, declared = ''): string {
  const folder = getParent(path);
  if (path.endsWith('_test.go') && declared.endsWith('_test')) return `${folder}:test`;
  return folder === '' ? `:${declared}` : folder;
}

/**
 * The folders of a repository as importable packages. Where no `go.mod` says what the repository itself is called, an import
 * path means the folder that is left of it without what names a repository.
 */
export class PackageFolders implements ModuleResolver {
  readonly #has: (namespace: string) => boolean;
  readonly #modules = new ModuleFolders();

  constructor(hasNamespace: (namespace: string) => boolean) {
    this.#has = hasNamespace;
  }

  add(): void {}

  remove(): void {}

  describe(path: string, entries: readonly ManifestEntry[] | null, touched: Set<string>): void {
    touched.add(manifestKey(getParent(path)));
    for (const name of this.#modules.describe(path, entries)) touched.add(name);
  }

  imported(importer: string, { module }: ImportFact): Imported {
    const home = this.#modules.around(importer);
    const names = foldersAround(importer).map(manifestKey);
    if (home !== null) names.push(...prefixesOf(module));
    const meant =
      home === null ? packagesMeant(importer, module) : this.#packagesIn(home, importer, module);
    for (const namespace of meant) {
      names.push(namespace);
      if (this.#has(namespace)) return { module: { file: null, folder: null, namespace }, names };
    }
    return { module: null, names };
  }

  /** The packages that a path may mean for a file of the module in a folder. */
  *#packagesIn(home: string, importer: string, path: string): Generator<string> {
    yield `${home === '' ? '' : `${home}/`}vendor/${path}`;
    const folder = this.#modules.folderOf(importer, path);
    if (folder !== null) yield folder === '' ? `:${packageName(path)}` : folder;
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  /** A package has no packages: those below it have paths of their own. */
  child(): null {
    return null;
  }
}

/** The packages that an import path may mean, likeliest first. */
function* packagesMeant(importer: string, path: string): Generator<string> {
  yield `vendor/${path}`;
  // A module may have a folder of the repository for itself.
  const folders = importer.split('/').slice(0, -1);
  for (const rest of restsOf(path)) {
    if (rest === '') yield `:${packageName(path)}`;
    else yield rest;
    if (!rest.includes('/')) continue;
    for (let depth = folders.length; depth > 0; depth--)
      yield `${folders.slice(0, depth).join('/')}/${rest}`;
  }
}

/**
 * What may be left of an import path without what names a repository, likeliest first; `''` is the repository's root.
 * Nothing for the standard library.
 */
export function restsOf(path: string): string[] {
  const names = path.split('/');
  const [host = ''] = names;
  if (STANDARD.has(path) || LIBRARIES.test(path)) return [];
  const lengths = FORGES.has(host) ? [3] : host.includes('.') ? [2, 3, 1] : [1];
  const rests = lengths
    .filter((length) => names.length >= length)
    .flatMap((length) => {
      const rest = names.slice(length);
      return [rest, rest.filter((name) => !VERSION.test(name))].map((some) => some.join('/'));
    });
  return [...new Set(rests)];
}

/** What the package of an import path most likely calls itself. */
export function packageName(path: string): string {
  const names = path.split('/');
  const isVersion = names.length > 1 && VERSION.test(names.at(-1) ?? '');
  const name = names.at(isVersion ? -2 : -1) ?? '';
  return name.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/, '');
}
