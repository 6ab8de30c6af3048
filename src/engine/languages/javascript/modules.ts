import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact } from '../facts.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';

/** In the order in which they are tried: sources before what may be made of them. */
const EXTENSIONS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.d.mts',
  '.d.cts',
] as const;
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/;
/** Stem of the file that stands for its folder. */
const INDEX = 'index';
/** Folders of a package that hold its sources. */
const SOURCES = new Set(['src', 'lib', 'source']);
/** Folders that hold the packages of a workspace. */
const WORKSPACES = new Set(['packages', 'libs', 'modules', 'plugins', 'apps', 'workspaces']);
/** What an alias for a source root begins with: `@/a`, `~/a`, `#a`, `#/a`. */
const ALIAS = /^(?:@\/|~\/?|#\/?|\$\/)/;
const NODE_MODULES = new Set(builtinModules);
/** Of the files of one name, this many are compared. */
const MOST_COMPARED = 1024;

/**
 * The files of a repository as modules. Only paths are known, not what `package.json` and `tsconfig.json` say: a package of
 * the repository is a folder of its name, and an alias is told by the end of the path that it stands for.
 */
export class FileModules implements ModuleResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #files = new Set<string>();
  /** Paths without extension by the last name that an import has for them. */
  readonly #stems = new Map<string, Set<string>>();
  #found = new Map<string, Imported>();

  /** `isTest(path)`: whether a file is test code. */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
  }

  add(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#files.add(path);
    const stem = withoutExtension(path);
    for (const name of namesOf(stem)) {
      touched.add(name);
      getOrAdd(this.#stems, name, () => new Set<string>()).add(stem);
    }
  }

  remove(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#files.delete(path);
    const stem = withoutExtension(path);
    const isLast = this.#file(stem) === null;
    for (const name of namesOf(stem)) {
      touched.add(name);
      const stems = this.#stems.get(name);
      if (isLast && stems?.delete(stem) && stems.size === 0) this.#stems.delete(name);
    }
  }

  imported(importer: string, { module }: ImportFact): Imported {
    const key = `${posix.dirname(importer)}:${this.#isTest(importer)}:${module}`;
    return getOrAdd(this.#found, key, () => this.#find(importer, module.replace(/\?.*$/s, '')));
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  child(): Module | null {
    return null;
  }

  #find(importer: string, specifier: string): Imported {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#relative(importer, specifier);
    if (specifier.startsWith('node:') || NODE_MODULES.has(specifier))
      return { module: null, names: [] };
    const path = specifier.replace(ALIAS, '');
    const segments = withoutExtension(path).split('/').filter(Boolean);
    if (segments.length > 1 && segments.at(-1) === INDEX) segments.pop();
    const name = segments.at(-1);
    if (name === undefined) return { module: null, names: [] };
    const stem =
      path === specifier
        ? (this.#inPackage(importer, segments) ?? this.#atEnd(importer, withoutScope(segments)))
        : this.#atEnd(importer, segments, 1);
    return { module: stem === null ? null : this.#module(stem), names: [name] };
  }

  #relative(importer: string, specifier: string): Imported {
    const path = posix.join(posix.dirname(importer), specifier).replace(/\/$/, '');
    const target = path === '.' ? '' : path;
    const name = posix.basename(withoutExtension(target)) || INDEX;
    const module = this.#files.has(target)
      ? { file: target, folder: null }
      : (this.#module(target) ?? this.#module(withoutExtension(target)));
    return { module, names: [name] };
  }

  /** The module at a path without extension: a file, or a folder with an index among its sources. */
  #module(path: string): Module | null {
    const folder = path === '' ? '' : `${path}/`;
    const stems = ['', ...[...SOURCES].map((name) => `${name}/`)].map(
      (inner) => `${folder}${inner}${INDEX}`,
    );
    for (const stem of [path, ...stems]) {
      const file = this.#file(stem);
      if (file !== null) return { file, folder: null };
    }
    return null;
  }

  #file(stem: string): string | null {
    for (const extension of EXTENSIONS)
      if (this.#files.has(stem + extension)) return stem + extension;
    return null;
  }

  /** `name`, `name/sub`, `@scope/name/sub` as a folder of that name. */
  #inPackage(importer: string, segments: readonly string[]): string | null {
    const isScoped = segments[0]?.startsWith('@') ?? false;
    const [name = '', ...inner] = isScoped ? segments.slice(1) : segments;
    return this.#nearest(importer, inner.at(-1) ?? name, (parts) => {
      const { length } = parts;
      const rest = parts.at(-1) === INDEX ? parts.slice(0, -1) : parts;
      const ends = inner.every((part, i) => rest[rest.length - inner.length + i] === part);
      const around = rest.slice(0, rest.length - inner.length);
      const sources = SOURCES.has(around.at(-1) ?? '') ? 1 : 0;
      const at = around.length - 1 - sources;
      if (!ends || around[at] !== name || (inner.length === 0 && rest.length === length)) return 0;
      // Of a scope nothing is known: a package does not name itself, but another of its name.
      const folder = `${around.slice(0, at + 1).join('/')}/`;
      if (isScoped && importer.startsWith(folder) && !this.#isTest(importer)) return 0;
      // Beside its sources a package may have an index that loads what was made of them.
      if (sources === 1) return 2;
      return WORKSPACES.has(around[at - 1] ?? '') ? 1 : 0;
    });
  }

  /** The path that ends as what is imported does, if it is `least` names long. */
  #atEnd(importer: string, segments: readonly string[], least = 2): string | null {
    if (segments.length < least) return null;
    return this.#nearest(importer, segments.at(-1) ?? '', (parts) => {
      const rest = parts.at(-1) === INDEX ? parts.slice(0, -1) : parts;
      const first = rest.length - segments.length;
      return first >= 0 && segments.every((part, i) => rest[first + i] === part) ? 1 : 0;
    });
  }

  /**
   * Of the paths that fit best, the one that shares most folders with the importer; null where that is not one.
   * @param fits how well a path fits; 0 where it does not
   */
  #nearest(
    importer: string,
    name: string,
    fits: (parts: readonly string[]) => number,
  ): string | null {
    const stems = this.#stems.get(name);
    if (!stems || stems.size > MOST_COMPARED) return null;
    const from = importer.split('/');
    let best: { stem: string; fit: number; shared: number; isOnly: boolean } | null = null;
    for (const stem of stems) {
      const parts = stem.split('/');
      const fit = fits(parts);
      if (fit === 0) continue;
      const differs = parts.findIndex((part, i) => part !== from[i]);
      const shared = differs < 0 ? parts.length : differs;
      const better = best ? fit - best.fit || shared - best.shared : 1;
      if (better > 0) best = { stem, fit, shared, isOnly: true };
      else if (better === 0 && best) best.isOnly = false;
    }
    return best?.isOnly ? best.stem : null;
  }
}

function withoutExtension(path: string): string {
  return path.replace(EXTENSION, '');
}

function withoutScope(segments: readonly string[]): readonly string[] {
  return segments[0]?.startsWith('@') ? segments.slice(1) : segments;
}

/** The last names that imports may have for a path: its own; for an index also its folder's, and its package's. */
function namesOf(stem: string): string[] {
  const [name = '', folder, around] = stem.split('/').toReversed();
  if (name !== INDEX || folder === undefined) return [name];
  return SOURCES.has(folder) && around !== undefined ? [name, folder, around] : [name, folder];
}
