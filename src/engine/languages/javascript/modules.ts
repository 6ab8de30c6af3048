import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { foldersAround, isWithin, manifestKey } from '../manifests.ts';
import type { Imported, Module, ModuleResolver } from '../modules.ts';
import { CompilerConfigs, packageNameOf } from './configs.ts';
import { InferredModules } from './inferred-modules.ts';
import { isConfig } from './manifests.ts';
import { Packages } from './packages.ts';
import { INDEX, Sources, withoutExtension } from './sources.ts';

const NODE_MODULES = new Set(builtinModules);
/** Folders that hold what is made of a package's sources, and in them one for each kind of module. */
const BUILT = /^(?:dist|build|out|output|lib|es|esm|cjs|umd)(?:[-_.][\w-]{1,20})?$/;
const FORMATS =
  /^(?:es|esm|cjs|umd|mjs|types|node|browser|module|commonjs|development|production)$/;

/**
 * The files of a repository as modules: by what `tsconfig.json` and `package.json` say, and where these say nothing, by what the
 * paths look like.
 */
export class FileModules implements ModuleResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #sources = new Sources();
  readonly #inferred: InferredModules;
  readonly #packages = new Packages();
  readonly #configs = new CompilerConfigs((importer, name) => {
    const meaning = this.#packages.meaning(importer, name);
    return meaning === null || meaning === 'outside' ? null : meaning.folder;
  });
  #found = new Map<string, Imported>();

  /** `isTest(path)`: whether a file is test code. */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
    this.#inferred = new InferredModules(this.#sources, isTest);
  }

  add(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#sources.add(path);
    this.#inferred.add(path, touched);
  }

  remove(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#sources.remove(path);
    this.#inferred.remove(path, touched);
  }

  describe(path: string, entries: readonly ManifestEntry[] | null, touched: Set<string>): void {
    this.#found = new Map();
    const folder = getParent(path);
    touched.add(manifestKey(folder));
    const bases: string[] = [];
    if (isConfig(posix.basename(path))) {
      this.#configs.describe(path, entries);
      const around = this.#packages.folderAround(path);
      const name = around === null ? null : this.#packages.nameOf(around);
      bases.push(path, ...(name === null ? [] : [name]));
    } else bases.push(...this.#packages.describe(path, entries));
    this.#configs.forget();
    for (const base of bases) {
      touched.add(base);
      for (const derived of this.#configs.foldersOfExtenders(base))
        touched.add(manifestKey(derived));
    }
  }

  imported(importer: string, { module }: ImportFact): Imported {
    const key = `${posix.dirname(importer)}:${this.#isTest(importer)}:${module}`;
    return getOrAdd(this.#found, key, () => {
      const names = new Set<string>();
      const file = this.#find(importer, module.replace(/\?.*$/s, ''), names);
      return { module: file === null ? null : { file, folder: null }, names: [...names] };
    });
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  child(): Module | null {
    return null;
  }

  /** `names` receives what the answer depends on, as for all below. */
  #find(importer: string, specifier: string, names: Set<string>): string | null {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#relative(importer, specifier, names);
    if (specifier.startsWith('node:') || NODE_MODULES.has(specifier)) return null;
    const described = this.#described(importer, specifier, names);
    if (described === 'outside') return null;
    return described ?? this.#inferred.find(importer, specifier, names);
  }

  #relative(importer: string, specifier: string, names: Set<string>): string | null {
    const joined = posix.join(posix.dirname(importer), specifier).replace(/\/$/, '');
    const path = joined === '.' ? '' : joined;
    return (
      this.#at(path, names) ??
      this.#sources.module(path) ??
      this.#sources.module(withoutExtension(path))
    );
  }

  /** The file that a path means: itself, a folder's main file or index, or the source that it is made of. */
  #at(path: string, names: Set<string>): string | null {
    names.add(posix.basename(withoutExtension(path)) || INDEX);
    const file = this.#sources.named(path) ?? this.#sources.file(path);
    if (file !== null) return file;
    this.#dependOn(`${path}/`, names);
    const main = this.#packages.exported(path, '');
    return (
      (main && this.#target(path, main, names)) ??
      this.#sources.file(join(path, INDEX)) ??
      this.#builtFrom(path)
    );
  }

  /** The file that manifests say an import means; null where they say nothing. */
  #described(importer: string, specifier: string, names: Set<string>): string | 'outside' | null {
    this.#dependOn(importer, names);
    const internal = specifier.startsWith('#')
      ? this.#packages.internal(importer, specifier)
      : null;
    if (internal) {
      const file = this.#target(internal.folder, internal.paths, names);
      if (file !== null) return file;
    }
    for (const path of this.#configs.meant(importer, specifier)) {
      const file = this.#at(path, names);
      if (file !== null) return file;
    }
    return this.#inPackage(importer, internal?.other ?? specifier, names);
  }

  #inPackage(importer: string, specifier: string, names: Set<string>): string | 'outside' | null {
    const { name, inner } = packageNameOf(specifier);
    names.add(name);
    const meaning = this.#packages.meaning(importer, name);
    if (meaning === null || meaning === 'outside') return meaning;
    const { folder } = meaning;
    this.#dependOn(`${folder}/`, names);
    const targets = this.#packages.exported(folder, inner);
    if (targets) {
      const file = this.#target(folder, targets, names);
      if (file !== null && !this.#isLoader(folder, file)) return file;
    }
    if (inner !== '') {
      // A package may be published from another folder than that of its sources.
      return this.#at(join(folder, inner), names) ?? this.#at(join(folder, `src/${inner}`), names);
    }
    names.add(INDEX).add(posix.basename(folder));
    return this.#sources.packaged(folder);
  }

  /** The source of the first target that has one; what is made of sources counts only where there are none. */
  #target(folder: string, targets: readonly string[], names: Set<string>): string | null {
    for (const path of targets) names.add(posix.basename(withoutExtension(path)) || INDEX);
    const first = (some: readonly string[], find: (path: string) => string | null) => {
      for (const path of some) {
        const file = find(path);
        if (file !== null) return file;
      }
      return null;
    };
    const exact = (path: string) => this.#sources.named(path) ?? this.#sources.module(path);
    const sources = targets.filter((path) => !isMade(folder, path));
    return (
      first(targets, (path) => this.#compiled(folder, path)) ??
      first(sources, exact) ??
      first(targets, (path) => this.#besides(folder, path)) ??
      first(targets, exact)
    );
  }

  /** Whether a file is the index beside a package's sources. */
  #isLoader(folder: string, file: string): boolean {
    return getParent(file) === folder && withoutExtension(posix.basename(file)) === INDEX;
  }

  /** The source in `src` of a file that is made of it: `src/a.ts` of `a.js`, `dist/a.js` or `dist/esm/a.js`. */
  #besides(folder: string, path: string): string | null {
    if (!isWithin(folder, path)) return null;
    const names = namesWithin(folder, path);
    const isBuilt = BUILT.test(names[0] ?? '');
    const depths = [
      0,
      ...(isBuilt ? [1] : []),
      ...(isBuilt && FORMATS.test(names[1] ?? '') ? [2] : []),
    ];
    for (const depth of depths) {
      const file = this.#sources.named(join(folder, ['src', ...names.slice(depth)].join('/')));
      if (file !== null) return file;
    }
    return null;
  }

  /** The source of a file that the compiler makes. */
  #compiled(folder: string, path: string): string | null {
    for (const source of this.#configs.compiledFrom(folder, path)) {
      const file = this.#sources.named(source);
      if (file !== null) return file;
    }
    return null;
  }

  /** The source of a file that is not there since it is made. */
  #builtFrom(path: string): string | null {
    const folder = this.#packages.folderAround(path);
    if (folder === null || path === folder) return null;
    return (
      this.#compiled(folder, path) ?? (isMade(folder, path) ? this.#besides(folder, path) : null)
    );
  }

  #dependOn(path: string, names: Set<string>): void {
    for (const folder of foldersAround(path)) names.add(manifestKey(folder));
  }
}

/** Whether a file of a package lies where others are made, or only declares what another defines. */
function isMade(folder: string, path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path) || BUILT.test(namesWithin(folder, path)[0] ?? '');
}

/** The names of a path below a folder around it. */
function namesWithin(folder: string, path: string): string[] {
  return path.slice(folder === '' ? 0 : folder.length + 1).split('/');
}

function join(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
