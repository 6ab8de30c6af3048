import { posix } from 'node:path';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact } from '../facts.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';
import { wordsIn } from '../words.ts';

/** Of the folders of one name, this many are compared with an import path. */
const MOST_FOLDERS = 256;
/** Import paths of the standard library, but for those below these. */
const STANDARD = wordsIn(new URL('./', import.meta.url), 'standard-packages.txt');
/** Hosts whose paths begin with an owner and a repository. */
const FORGES = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitee.com']);
/** Hosts of modules that nobody else's repository holds. */
const LIBRARIES = /^(?:golang\.org\/x|google\.golang\.org)\//;
const VERSION = /^v\d+$/;

/**
 * The folders of a repository as importable packages. What the repository itself is called is not known: an import path
 * means the folder that is left of it without what names a repository.
 */
export class PackageFolders implements ModuleResolver {
  /** How many files a folder has. */
  readonly #files = new Map<string, number>();
  /** Folders by their last name. */
  readonly #byName = new Map<string, Set<string>>();

  add(path: string, touched: Set<string>): void {
    const folder = folderOf(path);
    const count = this.#files.get(folder) ?? 0;
    this.#files.set(folder, count + 1);
    if (count > 0) return;
    const name = posix.basename(folder);
    getOrAdd(this.#byName, name, () => new Set<string>()).add(folder);
    touched.add(name);
  }

  remove(path: string, touched: Set<string>): void {
    const folder = folderOf(path);
    const count = this.#files.get(folder) ?? 0;
    if (count > 1) {
      this.#files.set(folder, count - 1);
      return;
    }
    if (!this.#files.delete(folder)) return;
    const name = posix.basename(folder);
    this.#byName.get(name)?.delete(folder);
    touched.add(name);
  }

  imported(_importer: string, { module }: ImportFact): Imported {
    const rests = restsOf(module);
    const names = rests.map((rest) => posix.basename(rest));
    const folder = this.#folder(module, rests);
    return { module: folder === null ? null : { file: null, folder }, names };
  }

  #folder(path: string, rests: readonly string[]): string | null {
    const vendored = `vendor/${path}`;
    if (this.#files.has(vendored)) return vendored;
    for (const rest of rests) {
      const found = this.#files.has(rest) ? rest : this.#below(rest);
      if (found !== null) return found;
    }
    return null;
  }

  /** The one folder further down, as of a module that has a folder of the repository for itself. */
  #below(rest: string): string | null {
    if (!rest.includes('/')) return null;
    const same = this.#byName.get(posix.basename(rest));
    if (!same || same.size > MOST_FOLDERS) return null;
    const found = [...same].filter((folder) => folder.endsWith(`/${rest}`));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  /** A package has no packages: those below it have paths of their own. */
  child(): null {
    return null;
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

/** The folder of a path, `''` for the repository's root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
