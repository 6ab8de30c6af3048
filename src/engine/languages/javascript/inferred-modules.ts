import { getOrAdd } from '../../../shared/get-or-add.ts';
import { INDEX, SOURCES, type Sources, withoutExtension } from './sources.ts';

/** Folders that hold the packages of a workspace. */
const WORKSPACES = new Set(['packages', 'libs', 'modules', 'plugins', 'apps', 'workspaces']);
/** What an alias for a source root begins with: `@/a`, `~/a`, `#a`, `#/a`. */
const ALIAS = /^(?:@\/|~\/?|#\/?|\$\/)/;
/** Of the files of one name, this many are compared. */
const MOST_COMPARED = 1024;

/**
 * What imports mean by the look of the paths, where no manifest tells: a package of the repository is a folder of its name, and
 * an alias is told by the end of the path that it stands for.
 */
export class InferredModules {
  readonly #isTest: (path: string) => boolean;
  readonly #sources: Sources;
  /** Paths without extension by the last name that an import has for them. */
  readonly #stems = new Map<string, Set<string>>();

  /** `isTest(path)`: whether a file is test code. */
  constructor(sources: Sources, isTest: (path: string) => boolean) {
    this.#sources = sources;
    this.#isTest = isTest;
  }

  /** Takes a file that the sources have; `touched` receives every name whose look-up may now end differently. */
  add(path: string, touched: Set<string>): void {
    const stem = withoutExtension(path);
    for (const name of namesOf(stem)) {
      touched.add(name);
      getOrAdd(this.#stems, name, () => new Set<string>()).add(stem);
    }
  }

  /** Lets go of a file that the sources have no longer; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void {
    const stem = withoutExtension(path);
    const isLast = this.#sources.file(stem) === null;
    for (const name of namesOf(stem)) {
      touched.add(name);
      const stems = this.#stems.get(name);
      if (isLast && stems?.delete(stem) && stems.size === 0) this.#stems.delete(name);
    }
  }

  /** The file that an import means that is not relative, or null; `names` receives the name that it was looked for by. */
  find(importer: string, specifier: string, names: Set<string>): string | null {
    const path = specifier.replace(ALIAS, '');
    const segments = withoutExtension(path).split('/').filter(Boolean);
    if (segments.length > 1 && segments.at(-1) === INDEX) segments.pop();
    const name = segments.at(-1);
    if (name === undefined) return null;
    names.add(name);
    const stem =
      path === specifier
        ? (this.#inPackage(importer, segments) ?? this.#atEnd(importer, withoutScope(segments)))
        : this.#atEnd(importer, segments, 1);
    return stem === null ? null : this.#sources.module(stem);
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

function withoutScope(segments: readonly string[]): readonly string[] {
  return segments[0]?.startsWith('@') ? segments.slice(1) : segments;
}

/** The last names that imports may have for a path: its own; for an index also its folder's, and its package's. */
function namesOf(stem: string): string[] {
  const [name = '', folder, around] = stem.split('/').toReversed();
  if (name !== INDEX || folder === undefined) return [name];
  return SOURCES.has(folder) && around !== undefined ? [name, folder, around] : [name, folder];
}
