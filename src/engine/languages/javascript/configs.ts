import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { isWithin, listFoldersAround, resolveWithin } from '../manifests.ts';
import { findTargets } from './patterns.ts';

/** Names of configurations of a folder, in the order in which they are looked for. */
const NAMES = ['tsconfig.json', 'jsconfig.json'];
/** Maximum number of configurations that one extends, and that one references. */
const MAX_BASES = 64;
const MAX_REFERENCES = 64;
/** Variable in a base for the folder of the configuration that extends it. */
const CONFIG_FOLDER = /^\$\{configDir\}\/?/;

/** Options of a configuration and its bases, with paths relative to the repository. */
interface CompilerOptions {
  baseUrl: string | null;
  paths: readonly ManifestEntry[];
  /** Folder to which the targets of `paths` are relative if there is no `baseUrl`. */
  pathsFolder: string;
  /** Output folders of the compiler. */
  outputs: readonly string[];
  rootDir: string | null;
}

/** Configurations of TypeScript's compiler. They tell the paths that an import may mean, and the sources of compiled files. */
export class CompilerConfigs {
  readonly #entries = new Map<string, readonly ManifestEntry[]>();
  readonly #byFolder = new Map<string, Set<string>>();
  /** Paths of configurations by the path, or the package, that they extend. */
  readonly #extenders = new Map<string, Set<string>>();
  readonly #folderOf: (importer: string, name: string) => string | null;
  #options = new Map<string, CompilerOptions>();

  /** @param folderOf returns the folder of the package that a name means in a file; null for an external package */
  constructor(folderOf: (importer: string, name: string) => string | null) {
    this.#folderOf = folderOf;
  }

  /** Updates a configuration; null if it was removed. */
  updateManifest(path: string, entries: readonly ManifestEntry[] | null): void {
    for (const base of this.#listBases(path)) this.#extenders.get(base)?.delete(path);
    const folder = getParent(path);
    if (entries) {
      this.#entries.set(path, entries);
      getOrAdd(this.#byFolder, folder, () => new Set<string>()).add(path);
    } else {
      this.#entries.delete(path);
      this.#byFolder.get(folder)?.delete(path);
    }
    for (const base of this.#listBases(path))
      getOrAdd(this.#extenders, base, () => new Set<string>()).add(path);
  }

  /** Clears everything derived from manifests, including those of packages. */
  clearDerived(): void {
    this.#options = new Map();
  }

  /** Returns the folders of the configurations that extend a configuration, by its path or by its package. */
  listExtendingFolders(base: string): Set<string> {
    const found = new Set<string>();
    const ahead = [base];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      for (const path of this.#extenders.get(next) ?? []) {
        if (found.has(path)) continue;
        found.add(path);
        ahead.push(path);
      }
    }
    return new Set(Array.from(found, getParent));
  }

  /** Yields the paths that an import may mean by `paths` and `baseUrl`, likeliest first. */
  *resolvePaths(importer: string, specifier: string): Generator<string> {
    for (const config of this.#findConfigs(importer)) {
      const { paths, pathsFolder, baseUrl } = this.#getOptions(config);
      for (const target of findTargets(specifier, paths) ?? []) {
        const path = resolveWithin(baseUrl ?? pathsFolder, target);
        if (path !== null) yield path;
      }
      const path = baseUrl === null ? null : resolveWithin(baseUrl, specifier);
      if (path !== null) yield path;
    }
  }

  /** Yields the possible sources of a compiled file of a package, by the configurations in the package's folder. */
  *findSources(folder: string, path: string): Generator<string> {
    for (const config of [...(this.#byFolder.get(folder) ?? [])].sort()) {
      const { outputs, rootDir } = this.#getOptions(config);
      for (const output of outputs) {
        if (output === folder || !isWithin(output, path)) continue;
        const rest = path.slice(output.length + 1);
        // Without a `rootDir`, it is the common folder of all sources.
        const roots = rootDir === null ? [folder, `${folder}/src`] : [rootDir];
        for (const root of roots) {
          const source = resolveWithin(root, rest);
          if (source !== null) yield source;
        }
      }
    }
  }

  /** Returns the nearest configuration, and those that it references around the importer. */
  #findConfigs(importer: string): string[] {
    for (const folder of listFoldersAround(importer)) {
      const paths = NAMES.map((name) => join(folder, name));
      const own = paths.find((path) => this.#entries.has(path));
      if (own !== undefined) return [own, ...this.#findReferenced(own, importer)];
    }
    return [];
  }

  #findReferenced(config: string, importer: string): string[] {
    const references = selectTexts(this.#entries.get(config), 'references').slice(
      0,
      MAX_REFERENCES,
    );
    return references.flatMap((reference) => {
      const path = resolveWithin(getParent(config), reference);
      const found = path === null ? null : this.#findConfig(path);
      return found !== null && isWithin(getParent(found), importer) ? [found] : [];
    });
  }

  /** Returns a configuration by its path, which may lack `.json`, or by its folder. */
  #findConfig(path: string): string | null {
    const paths = [path, `${path}.json`, join(path, 'tsconfig.json')];
    return paths.find((one) => this.#entries.has(one)) ?? null;
  }

  #getOptions(config: string): CompilerOptions {
    return getOrAdd(this.#options, config, () => {
      const options: CompilerOptions = {
        baseUrl: null,
        paths: [],
        pathsFolder: '',
        outputs: [],
        rootDir: null,
      };
      let left = MAX_BASES;
      const apply = (path: string, derived: ReadonlySet<string>) => {
        if (derived.has(path) || left-- === 0) return;
        const around = new Set([...derived, path]);
        for (const base of selectTexts(this.#entries.get(path), 'extends')) {
          const found = this.#findBase(path, base);
          if (found !== null) apply(found, around);
        }
        Object.assign(options, readOptions(this.#entries.get(path), path, config));
      };
      apply(config, new Set());
      return options;
    });
  }

  /** Returns the configuration that another one extends by this name. */
  #findBase(config: string, base: string): string | null {
    if (isPath(base)) {
      const path = resolveWithin(getParent(config), base);
      return path === null ? null : this.#findConfig(path);
    }
    const { name, inner } = splitSpecifier(base);
    const folder = this.#folderOf(config, name);
    const path = folder === null ? null : resolveWithin(folder, inner);
    return path === null ? null : this.#findConfig(path);
  }

  /** Returns what a configuration extends, as keys of `#extenders`. */
  #listBases(config: string): string[] {
    return selectTexts(this.#entries.get(config), 'extends').flatMap((base) => {
      if (!isPath(base)) return [splitSpecifier(base).name];
      const path = resolveWithin(getParent(config), base);
      return path === null ? [] : [path, `${path}.json`, join(path, 'tsconfig.json')];
    });
  }
}

/** Returns the own options of a configuration. `config` is the configuration that extends it. */
function readOptions(
  entries: readonly ManifestEntry[] = [],
  path: string,
  config: string,
): Partial<CompilerOptions> {
  const at = (target: string) =>
    CONFIG_FOLDER.test(target)
      ? resolveWithin(getParent(config), target.replace(CONFIG_FOLDER, ''))
      : resolveWithin(getParent(path), target);
  const first = (kind: string) => selectTexts(entries, kind).map(at)[0] ?? null;
  const options: Partial<CompilerOptions> = {};
  const baseUrl = first('baseUrl');
  if (baseUrl !== null) options.baseUrl = baseUrl;
  const rootDir = first('rootDir');
  if (rootDir !== null) options.rootDir = rootDir;
  const outputs = [first('outDir'), first('declarationDir')].filter((one) => one !== null);
  if (outputs.length > 0) options.outputs = outputs;
  const paths = entries.filter(({ kind }) => kind === 'paths');
  if (paths.length > 0) {
    const isTemplate = paths.some(({ to }) => to.some((one) => CONFIG_FOLDER.test(one)));
    options.pathsFolder = getParent(isTemplate ? config : path);
    options.paths = paths.map((entry) => {
      const to = entry.to.map((one) => one.replace(CONFIG_FOLDER, ''));
      return { ...entry, to };
    });
  }
  return options;
}

/** Splits an import into the name of the package and the rest: `@a/b/c` gives `@a/b` and `c`. */
export function splitSpecifier(specifier: string): { name: string; inner: string } {
  const names = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: names.slice(0, length).join('/'), inner: names.slice(length).join('/') };
}

function selectTexts(entries: readonly ManifestEntry[] | undefined, kind: string): string[] {
  return entries?.filter((entry) => entry.kind === kind).flatMap(({ to }) => to) ?? [];
}

function isPath(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier);
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
