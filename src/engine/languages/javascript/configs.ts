import { getParent } from '../../../shared/address.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ManifestEntry } from '../facts.ts';
import { foldersAround, isWithin, within } from '../manifests.ts';
import { targetsFor } from './patterns.ts';

/** The configurations that hold for a folder, in the order in which they are looked for. */
const NAMES = ['tsconfig.json', 'jsconfig.json'];
/** Configurations that one extends, and those that one refers to. */
const MOST_BASES = 64;
const MOST_REFERENCES = 64;
/** What a base writes for the folder of the configuration that extends it. */
const CONFIG_FOLDER = /^\$\{configDir\}\/?/;

/** What a configuration and its bases say, the paths relative to the repository. */
interface Options {
  baseUrl: string | null;
  paths: readonly ManifestEntry[];
  /** What the targets of `paths` are relative to, where there is no `baseUrl`. */
  pathsFolder: string;
  /** Folders that are compiled to. */
  outputs: readonly string[];
  rootDir: string | null;
}

/** The configurations of TypeScript's compiler: which paths an import may mean, and from which a file is compiled. */
export class CompilerConfigs {
  readonly #entries = new Map<string, readonly ManifestEntry[]>();
  readonly #byFolder = new Map<string, Set<string>>();
  /** Configurations by the paths, or the package, that they extend. */
  readonly #extenders = new Map<string, Set<string>>();
  readonly #folderOf: (importer: string, name: string) => string | null;
  #options = new Map<string, Options>();

  /** @param folderOf the folder of the package that a name means for a file; null for one from elsewhere */
  constructor(folderOf: (importer: string, name: string) => string | null) {
    this.#folderOf = folderOf;
  }

  /** Takes what a configuration says; null for one that is gone. */
  describe(path: string, entries: readonly ManifestEntry[] | null): void {
    for (const base of this.#basesOf(path)) this.#extenders.get(base)?.delete(path);
    const folder = getParent(path);
    if (entries) {
      this.#entries.set(path, entries);
      getOrAdd(this.#byFolder, folder, () => new Set<string>()).add(path);
    } else {
      this.#entries.delete(path);
      this.#byFolder.get(folder)?.delete(path);
    }
    for (const base of this.#basesOf(path))
      getOrAdd(this.#extenders, base, () => new Set<string>()).add(path);
  }

  /** Lets go of what was derived from manifests, of packages too. */
  forget(): void {
    this.#options = new Map();
  }

  /** The folders of the configurations that derive from a configuration, by its path, or from some of a package. */
  foldersOfExtenders(base: string): Set<string> {
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

  /** The paths that an import may mean by `paths` and `baseUrl`, likeliest first. */
  *meant(importer: string, specifier: string): Generator<string> {
    for (const config of this.#configsFor(importer)) {
      const { paths, pathsFolder, baseUrl } = this.#optionsOf(config);
      for (const target of targetsFor(specifier, paths) ?? []) {
        const path = within(baseUrl ?? pathsFolder, target);
        if (path !== null) yield path;
      }
      const path = baseUrl === null ? null : within(baseUrl, specifier);
      if (path !== null) yield path;
    }
  }

  /** The paths that a file of a package may be compiled from, by the configurations of the package's folder. */
  *compiledFrom(folder: string, path: string): Generator<string> {
    for (const config of [...(this.#byFolder.get(folder) ?? [])].sort()) {
      const { outputs, rootDir } = this.#optionsOf(config);
      for (const output of outputs) {
        if (output === folder || !isWithin(output, path)) continue;
        const rest = path.slice(output.length + 1);
        // Without a root it is the folder that all sources share.
        const roots = rootDir === null ? [folder, `${folder}/src`] : [rootDir];
        for (const root of roots) {
          const source = within(root, rest);
          if (source !== null) yield source;
        }
      }
    }
  }

  /** The nearest configuration, and those around the importer that it refers to. */
  #configsFor(importer: string): string[] {
    for (const folder of foldersAround(importer)) {
      const paths = NAMES.map((name) => join(folder, name));
      const own = paths.find((path) => this.#entries.has(path));
      if (own !== undefined) return [own, ...this.#referredTo(own, importer)];
    }
    return [];
  }

  #referredTo(config: string, importer: string): string[] {
    const references = textsIn(this.#entries.get(config), 'references').slice(0, MOST_REFERENCES);
    return references.flatMap((reference) => {
      const path = within(getParent(config), reference);
      const found = path === null ? null : this.#configAt(path);
      return found !== null && isWithin(getParent(found), importer) ? [found] : [];
    });
  }

  /** A configuration by its path, which may lack `.json`, or by its folder. */
  #configAt(path: string): string | null {
    const paths = [path, `${path}.json`, join(path, 'tsconfig.json')];
    return paths.find((one) => this.#entries.has(one)) ?? null;
  }

  #optionsOf(config: string): Options {
    return getOrAdd(this.#options, config, () => {
      const options: Options = {
        baseUrl: null,
        paths: [],
        pathsFolder: '',
        outputs: [],
        rootDir: null,
      };
      let left = MOST_BASES;
      const apply = (path: string, derived: ReadonlySet<string>) => {
        if (derived.has(path) || left-- === 0) return;
        const around = new Set([...derived, path]);
        for (const base of textsIn(this.#entries.get(path), 'extends')) {
          const found = this.#base(path, base);
          if (found !== null) apply(found, around);
        }
        Object.assign(options, ownOptions(this.#entries.get(path), path, config));
      };
      apply(config, new Set());
      return options;
    });
  }

  /** The configuration that one extends by this name. */
  #base(config: string, base: string): string | null {
    if (isPath(base)) {
      const path = within(getParent(config), base);
      return path === null ? null : this.#configAt(path);
    }
    const { name, inner } = packageNameOf(base);
    const folder = this.#folderOf(config, name);
    const path = folder === null ? null : within(folder, inner);
    return path === null ? null : this.#configAt(path);
  }

  /** What a configuration extends, as keys of `#extenders`. */
  #basesOf(config: string): string[] {
    return textsIn(this.#entries.get(config), 'extends').flatMap((base) => {
      if (!isPath(base)) return [packageNameOf(base).name];
      const path = within(getParent(config), base);
      return path === null ? [] : [path, `${path}.json`, join(path, 'tsconfig.json')];
    });
  }
}

/** The options of a configuration itself; `config` is the one that derives from it. */
function ownOptions(
  entries: readonly ManifestEntry[] = [],
  path: string,
  config: string,
): Partial<Options> {
  const at = (target: string) =>
    CONFIG_FOLDER.test(target)
      ? within(getParent(config), target.replace(CONFIG_FOLDER, ''))
      : within(getParent(path), target);
  const first = (kind: string) => textsIn(entries, kind).map(at)[0] ?? null;
  const options: Partial<Options> = {};
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

/** The name of the package that an import begins with, and the rest: `@a/b` and `c` of `@a/b/c`. */
export function packageNameOf(specifier: string): { name: string; inner: string } {
  const names = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: names.slice(0, length).join('/'), inner: names.slice(length).join('/') };
}

function textsIn(entries: readonly ManifestEntry[] | undefined, kind: string): string[] {
  return entries?.filter((entry) => entry.kind === kind).flatMap(({ to }) => to) ?? [];
}

function isPath(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier);
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
