import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact, ManifestEntry } from '../facts.ts';
import { formatManifestKey, isWithin, listFoldersAround } from '../manifests.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';
import { ComponentFiles } from './component-files.ts';
import { CompilerConfigs, splitSpecifier } from './configs.ts';
import { InferredModules } from './inferred-modules.ts';
import { isConfig } from './manifests.ts';
import { NodePackages } from './packages.ts';
import { INDEX, removeExtension, SourceFiles } from './sources.ts';

const NODE_MODULES = new Set(builtinModules);
/** Folders with a package's build output, and in them one for each kind of module. */
const BUILT = /^(?:dist|build|out|output|lib|es|esm|cjs|umd)(?:[-_.][\w-]{1,20})?$/;
const FORMATS =
  /^(?:es|esm|cjs|umd|mjs|types|node|browser|module|commonjs|development|production)$/;

/** Files of a repository as modules. Imports are resolved by `tsconfig.json` and `package.json`; otherwise by paths alone. */
export class FileModules implements ModuleResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #sources = new SourceFiles();
  readonly #inferred: InferredModules;
  readonly #components = new ComponentFiles();
  readonly #packages = new NodePackages();
  readonly #configs = new CompilerConfigs((importer, name) => {
    const meaning = this.#packages.resolvePackage(importer, name);
    return meaning === null || meaning === 'outside' ? null : meaning.folder;
  });
  #found = new Map<string, ImportTarget>();

  /** @param isTest returns true if a file is test code */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
    this.#inferred = new InferredModules(this.#sources, isTest);
  }

  add(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#sources.add(path);
    this.#inferred.add(path, touched);
    this.#components.add(path, touched);
  }

  remove(path: string, touched: Set<string>): void {
    this.#found = new Map();
    this.#sources.remove(path);
    this.#inferred.remove(path, touched);
    this.#components.remove(path, touched);
  }

  updateManifest(
    path: string,
    entries: readonly ManifestEntry[] | null,
    touched: Set<string>,
  ): void {
    this.#found = new Map();
    const folder = getParent(path);
    touched.add(formatManifestKey(folder));
    const bases: string[] = [];
    if (isConfig(posix.basename(path))) {
      this.#configs.updateManifest(path, entries);
      const around = this.#packages.findPackageFolder(path);
      const name = around === null ? null : this.#packages.getName(around);
      bases.push(path, ...(name === null ? [] : [name]));
    } else bases.push(...this.#packages.updateManifest(path, entries));
    this.#configs.clearDerived();
    for (const base of bases) {
      touched.add(base);
      for (const derived of this.#configs.listExtendingFolders(base))
        touched.add(formatManifestKey(derived));
    }
  }

  resolveImport(importer: string, { module }: ImportFact): ImportTarget {
    const key = `${posix.dirname(importer)}:${this.#isTest(importer)}:${module}`;
    return getOrAdd(this.#found, key, () => {
      const names = new Set<string>();
      const file = module.startsWith('<')
        ? this.#components.find(importer, module, names)
        : this.#find(importer, module.replace(/\?.*$/s, ''), names);
      return { module: file === null ? null : { file, folder: null }, names: [...names] };
    });
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(): RepositoryModule | null {
    return null;
  }

  /** Resolves an import. `names` receives the names on which the answer depends, here and in all methods below. */
  #find(importer: string, specifier: string, names: Set<string>): string | null {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#findRelative(importer, specifier, names);
    if (specifier.startsWith('node:') || NODE_MODULES.has(specifier)) return null;
    const described = this.#findDescribed(importer, specifier, names);
    if (described === 'outside') return null;
    return described ?? this.#inferred.find(importer, specifier, names);
  }

  #findRelative(importer: string, specifier: string, names: Set<string>): string | null {
    const joined = posix.join(posix.dirname(importer), specifier).replace(/\/$/, '');
    const path = joined === '.' ? '' : joined;
    return (
      this.#findFile(path, names) ??
      this.#sources.findModule(path) ??
      this.#sources.findModule(removeExtension(path))
    );
  }

  /** Returns the file that a path means: the file itself, a folder's main file or index, or the source of a built file. */
  #findFile(path: string, names: Set<string>): string | null {
    names.add(posix.basename(removeExtension(path)) || INDEX);
    const file = this.#sources.findByPath(path) ?? this.#sources.findFile(path);
    if (file !== null) return file;
    this.#addDependency(`${path}/`, names);
    const main = this.#packages.resolveExport(path, '');
    return (
      (main && this.#findTarget(path, main, names)) ??
      this.#sources.findFile(join(path, INDEX)) ??
      this.#findBuiltSource(path)
    );
  }

  /** Returns the file that an import means by the manifests; null if they do not tell. */
  #findDescribed(
    importer: string,
    specifier: string,
    names: Set<string>,
  ): string | 'outside' | null {
    this.#addDependency(importer, names);
    const internal = specifier.startsWith('#')
      ? this.#packages.resolveInternal(importer, specifier)
      : null;
    if (internal) {
      const file = this.#findTarget(internal.folder, internal.paths, names);
      if (file !== null) return file;
    }
    for (const path of this.#configs.resolvePaths(importer, specifier)) {
      const file = this.#findFile(path, names);
      if (file !== null) return file;
    }
    return this.#findInPackage(importer, internal?.other ?? specifier, names);
  }

  #findInPackage(
    importer: string,
    specifier: string,
    names: Set<string>,
  ): string | 'outside' | null {
    const { name, inner } = splitSpecifier(specifier);
    names.add(name);
    const meaning = this.#packages.resolvePackage(importer, name);
    if (meaning === null || meaning === 'outside') return meaning;
    const { folder } = meaning;
    this.#addDependency(`${folder}/`, names);
    const targets = this.#packages.resolveExport(folder, inner);
    if (targets) {
      const file = this.#findTarget(folder, targets, names);
      if (file !== null && !this.#isLoader(folder, file)) return file;
    }
    if (inner !== '') {
      // A package may be published from a folder other than its source folder.
      return (
        this.#findFile(join(folder, inner), names) ??
        this.#findFile(join(folder, `src/${inner}`), names)
      );
    }
    names.add(INDEX).add(posix.basename(folder));
    return this.#sources.findPackageIndex(folder);
  }

  /** Returns the source of the first target that has one. Build output counts only if there is no source. */
  #findTarget(folder: string, targets: readonly string[], names: Set<string>): string | null {
    for (const path of targets) names.add(posix.basename(removeExtension(path)) || INDEX);
    const first = (some: readonly string[], find: (path: string) => string | null) => {
      for (const path of some) {
        const file = find(path);
        if (file !== null) return file;
      }
      return null;
    };
    const exact = (path: string) =>
      this.#sources.findByPath(path) ?? this.#sources.findModule(path);
    const sources = targets.filter((path) => !isBuildOutput(folder, path));
    return (
      first(targets, (path) => this.#findCompiledSource(folder, path)) ??
      first(sources, exact) ??
      first(targets, (path) => this.#findInSrc(folder, path)) ??
      first(targets, exact)
    );
  }

  /** Returns true if a file is the index next to a package's sources. */
  #isLoader(folder: string, file: string): boolean {
    return getParent(file) === folder && removeExtension(posix.basename(file)) === INDEX;
  }

  /** Returns the source in `src` of a built file: `src/a.ts` for `a.js`, `dist/a.js` or `dist/esm/a.js`. */
  #findInSrc(folder: string, path: string): string | null {
    if (!isWithin(folder, path)) return null;
    const names = listNamesWithin(folder, path);
    const isBuilt = BUILT.test(names[0] ?? '');
    const depths = [
      0,
      ...(isBuilt ? [1] : []),
      ...(isBuilt && FORMATS.test(names[1] ?? '') ? [2] : []),
    ];
    for (const depth of depths) {
      const file = this.#sources.findByPath(join(folder, ['src', ...names.slice(depth)].join('/')));
      if (file !== null) return file;
    }
    return null;
  }

  /** Returns the source of a compiled file. */
  #findCompiledSource(folder: string, path: string): string | null {
    for (const source of this.#configs.findSources(folder, path)) {
      const file = this.#sources.findByPath(source);
      if (file !== null) return file;
    }
    return null;
  }

  /** Returns the source of a file that is missing because it has to be built. */
  #findBuiltSource(path: string): string | null {
    const folder = this.#packages.findPackageFolder(path);
    if (folder === null || path === folder) return null;
    return (
      this.#findCompiledSource(folder, path) ??
      (isBuildOutput(folder, path) ? this.#findInSrc(folder, path) : null)
    );
  }

  #addDependency(path: string, names: Set<string>): void {
    for (const folder of listFoldersAround(path)) names.add(formatManifestKey(folder));
  }
}

/** Returns true if a file of a package is in a folder of build output, or is only a declaration file. */
function isBuildOutput(folder: string, path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path) || BUILT.test(listNamesWithin(folder, path)[0] ?? '');
}

/** Returns the names of a path below a folder around it. */
function listNamesWithin(folder: string, path: string): string[] {
  return path.slice(folder === '' ? 0 : folder.length + 1).split('/');
}

function join(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
