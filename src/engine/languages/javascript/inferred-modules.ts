import { getOrAdd } from '../../../shared/get-or-add.ts';
import { INDEX, removeExtension, SOURCES, type SourceFiles } from './sources.ts';

/** Folders that contain the packages of a workspace. */
const WORKSPACES = new Set(['packages', 'libs', 'modules', 'plugins', 'apps', 'workspaces']);
/** Prefix of an alias for a source root: `@/a`, `~/a`, `#a`, `#/a`. */
const ALIAS = /^(?:@\/|~\/?|#\/?|\$\/)/;
/** Maximum number of files of one name that are compared. */
const MAX_COMPARED = 1024;

/**
 * Resolves imports from paths alone, if no manifest tells. A package of the repository is a folder of its name. An alias is
 * resolved by the end of its path.
 */
export class InferredModules {
  readonly #isTest: (path: string) => boolean;
  readonly #sources: SourceFiles;
  /** Paths without extension, by the last name of imports that may mean them. */
  readonly #stems = new Map<string, Set<string>>();

  /** @param isTest returns true if a file is test code */
  constructor(sources: SourceFiles, isTest: (path: string) => boolean) {
    this.#sources = sources;
    this.#isTest = isTest;
  }

  /** Adds a file that is in `sources`. `touched` receives every name whose look-up may now have another result. */
  add(path: string, touched: Set<string>): void {
    const stem = removeExtension(path);
    for (const name of listNames(stem)) {
      touched.add(name);
      getOrAdd(this.#stems, name, () => new Set<string>()).add(stem);
    }
  }

  /** Removes a file that is no longer in `sources`; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void {
    const stem = removeExtension(path);
    const isLast = this.#sources.findFile(stem) === null;
    for (const name of listNames(stem)) {
      touched.add(name);
      const stems = this.#stems.get(name);
      if (isLast && stems?.delete(stem) && stems.size === 0) this.#stems.delete(name);
    }
  }

  /** Returns the file that a non-relative import means, or null. `names` receives the name by which it was looked up. */
  find(importer: string, specifier: string, names: Set<string>): string | null {
    const path = specifier.replace(ALIAS, '');
    const segments = removeExtension(path).split('/').filter(Boolean);
    if (segments.length > 1 && segments.at(-1) === INDEX) segments.pop();
    const name = segments.at(-1);
    if (name === undefined) return null;
    names.add(name);
    const stem =
      path === specifier
        ? (this.#findInPackage(importer, segments) ??
          this.#findByEnd(importer, removeScope(segments)))
        : this.#findByEnd(importer, segments, 1);
    return stem === null ? null : this.#sources.findModule(stem);
  }

  /** Resolves `name`, `name/sub`, `@scope/name/sub` to a folder of that name. */
  #findInPackage(importer: string, segments: readonly string[]): string | null {
    const isScoped = segments[0]?.startsWith('@') ?? false;
    const [name = '', ...inner] = isScoped ? segments.slice(1) : segments;
    return this.#findNearest(importer, inner.at(-1) ?? name, (parts) => {
      const { length } = parts;
      const rest = parts.at(-1) === INDEX ? parts.slice(0, -1) : parts;
      const ends = inner.every((part, i) => rest[rest.length - inner.length + i] === part);
      const around = rest.slice(0, rest.length - inner.length);
      const sources = SOURCES.has(around.at(-1) ?? '') ? 1 : 0;
      const at = around.length - 1 - sources;
      if (!ends || around[at] !== name || (inner.length === 0 && rest.length === length)) return 0;
      // The scope is unknown. A package does not import itself, so the name means another package.
      const folder = `${around.slice(0, at + 1).join('/')}/`;
      if (isScoped && importer.startsWith(folder) && !this.#isTest(importer)) return 0;
      // Next to its sources, a package may have an index that loads the build output.
      if (sources === 1) return 2;
      return WORKSPACES.has(around[at - 1] ?? '') ? 1 : 0;
    });
  }

  /** Returns the path with the same end as the import, if that has at least `least` names. */
  #findByEnd(importer: string, segments: readonly string[], least = 2): string | null {
    if (segments.length < least) return null;
    return this.#findNearest(importer, segments.at(-1) ?? '', (parts) => {
      const rest = parts.at(-1) === INDEX ? parts.slice(0, -1) : parts;
      const first = rest.length - segments.length;
      return first >= 0 && segments.every((part, i) => rest[first + i] === part) ? 1 : 0;
    });
  }

  /**
   * Returns the best matching path. Among equals, the path that shares the most folders with the importer; null if that is not
   * unique.
   * @param fits returns how well a path matches; 0 if it does not
   */
  #findNearest(
    importer: string,
    name: string,
    fits: (parts: readonly string[]) => number,
  ): string | null {
    const stems = this.#stems.get(name);
    if (!stems || stems.size > MAX_COMPARED) return null;
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

function removeScope(segments: readonly string[]): readonly string[] {
  return segments[0]?.startsWith('@') ? segments.slice(1) : segments;
}

/** Returns the last names of imports that may mean a path: its own; for an index also its folder's and its package's. */
function listNames(stem: string): string[] {
  const [name = '', folder, around] = stem.split('/').toReversed();
  if (name !== INDEX || folder === undefined) return [name];
  return SOURCES.has(folder) && around !== undefined ? [name, folder, around] : [name, folder];
}
