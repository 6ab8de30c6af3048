import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { cacheUntilEdited } from './chunks.ts';

/** Finds files of the repository for paths in an issue, which may be from another machine. Scans all paths once. */
export class FileMatcher {
  /** Files by base name in lower case. */
  readonly #byBaseName = new Map<string, string[]>();
  /** Suffixes of paths by base name in lower case: `c.py`, `b/c.py` and `a/b/c.py` for `a/b/c.py`. */
  readonly #bySuffix = new Map<string, PathSuffixes>();
  readonly #byModule = new Map<string, string[]>();

  /**
   * @param getNames returns the paths to match; not called if nothing is wanted
   * @param wanted paths and modules that may be looked up later; others are not found
   */
  constructor(
    getNames: () => PathNames,
    wanted: readonly { kind: 'file' | 'module'; segments: string[] }[],
    syntaxes: readonly IssueSyntax[],
  ) {
    for (const { kind, segments } of wanted) {
      if (kind === 'file') this.#byBaseName.set((segments.at(-1) ?? '').toLowerCase(), []);
      else
        for (let n = 2; n <= segments.length; n++)
          this.#byModule.set(segments.slice(0, n).join('/'), []);
    }
    if (wanted.length === 0) return;
    const moduleNames = new Set(this.#byModule.keys().map(getLastName));
    const fileNames = Array.from(this.#byBaseName.keys(), getLastName);
    for (const path of getNames().findPathsWith([...moduleNames, ...fileNames])) {
      this.#byBaseName.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase())?.push(path);
      if (!hasName(path, moduleNames)) continue;
      for (const module of listModules(path, syntaxes)) this.#byModule.get(module)?.push(path);
    }
  }

  /**
   * Finds the files that share the longest suffix with these path segments. Windows and people ignore case, so case does not
   * matter for suffixes of two or more segments. A base name alone must match in case, since it may be a word (`Node.js`).
   * @param isFile true if the segments certainly name a file; then case does not matter for a base name either
   */
  findBySuffix(segments: readonly string[], isFile = false): SuffixMatch {
    const baseName = (segments.at(-1) ?? '').toLowerCase();
    const suffixes = getOrAdd(this.#bySuffix, baseName, () => {
      const added: PathSuffixes = { asWritten: new Map(), inLowerCase: new Map() };
      for (const path of this.#byBaseName.get(baseName)?.sort() ?? []) addSuffixes(path, added);
      return added;
    });
    const asWritten = findLongestSuffix(segments, suffixes.asWritten);
    const lower = segments.map((segment) => segment.toLowerCase());
    const inLowerCase = findLongestSuffix(lower, suffixes.inLowerCase);
    const minimum = isFile ? asWritten.common : Math.max(1, asWritten.common);
    return inLowerCase.common > minimum ? inLowerCase : asWritten;
  }

  findByModule(module: string): string[] {
    return (this.#byModule.get(module) ?? []).toSorted();
  }
}

interface SuffixMatch {
  files: string[];
  /** Number of segments that the files share with the path. */
  common: number;
  /** True if the suffix is the whole path of the files. */
  isWholePath: boolean;
}

/** Files by a suffix of their path. */
interface PathSuffixes {
  asWritten: Map<string, string[]>;
  inLowerCase: Map<string, string[]>;
}

function findLongestSuffix(
  segments: readonly string[],
  bySuffix: ReadonlyMap<string, string[]>,
): SuffixMatch {
  let suffix = segments.at(-1) ?? '';
  let files: string[] = [];
  let common = 0;
  for (let longer = bySuffix.get(suffix); longer; longer = bySuffix.get(suffix)) {
    files = longer;
    common++;
    if (common === segments.length) break;
    suffix = `${segments.at(-1 - common)}/${suffix}`;
  }
  const { length } = segments.slice(-common).join('/');
  const whole = common > 0 ? files.filter((file) => file.length === length) : [];
  return { files: whole.length > 0 ? whole : files, common, isWholePath: whole.length > 0 };
}

function addSuffixes(path: string, { asWritten, inLowerCase }: PathSuffixes): void {
  for (let at = path.length; at >= 0; ) {
    at = at === 0 ? -1 : path.lastIndexOf('/', at - 1);
    const suffix = path.slice(at + 1);
    getOrAdd(asWritten, suffix, () => []).push(path);
    getOrAdd(inLowerCase, suffix.toLowerCase(), () => []).push(path);
  }
}

/** Returns the name after the last slash, up to a dot: `cart` for `shop/cart.test`. The module's file has it in its path. */
function getLastName(module: string): string {
  const [name = ''] = module.slice(module.lastIndexOf('/') + 1).split('.', 1);
  return name;
}

/** Returns true if a path has one of these names between slashes and dots. A cheap test before the path's modules are computed. */
function hasName(path: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  let end = path.length;
  for (let at = end - 1; at >= -1; at--) {
    const isBetween = at < 0 || path.charCodeAt(at) === SLASH || path.charCodeAt(at) === DOT;
    if (!isBetween) continue;
    if (names.has(path.slice(at + 1, end))) return true;
    end = at;
  }
  return false;
}

/** Lists possible module names of a file: `pkg/sub/mod` for `src/pkg/sub/mod.py`. */
function listModules(path: string, syntaxes: readonly IssueSyntax[]): Set<string> {
  const pathInRoot = path.replace(/^(?:src|lib)\//, '');
  return new Set(syntaxes.map((syntax) => syntax.getModule(pathInRoot)));
}

const SLASH = 47;
const DOT = 46;

/**
 * Hashes of the names between slashes and dots in an index's paths: `pkg`, `mod` and `py` for `pkg/mod.py`. An issue mentions
 * few of many files, and comparing numbers rules out most paths quickly.
 */
export class PathNames {
  readonly #paths: string[];
  readonly #hashes: Int32Array;
  /** Offset of the first hash of each path, and the end of the last path's hashes. */
  readonly #starts: Uint32Array;

  constructor(paths: Iterable<string>) {
    this.#paths = [...paths];
    this.#starts = new Uint32Array(this.#paths.length + 1);
    const hashes: number[] = [];
    for (const [number, path] of this.#paths.entries()) {
      forEachHash(path, (hash) => hashes.push(hash));
      this.#starts[number + 1] = hashes.length;
    }
    this.#hashes = Int32Array.from(hashes);
  }

  /** Yields the paths that have one of these names in any case, in order. A hash collision may add a wrong path. */
  *findPathsWith(names: Iterable<string>): IterableIterator<string> {
    const wanted = new Set<number>();
    // A flag for the low bits of each hash: most names match nothing, and a flag rules them out faster than the set.
    const bits = new Uint8Array(1 << 8);
    for (const name of names)
      forEachHash(name, (hash) => {
        wanted.add(hash);
        bits[hash & 255] = 1;
      });
    if (wanted.size === 0) return;
    for (let number = 0; number < this.#paths.length; number++)
      if (this.#hasOne(number, bits, wanted)) yield this.#paths[number] ?? '';
  }

  #hasOne(number: number, bits: Uint8Array, wanted: ReadonlySet<number>): boolean {
    const end = this.#starts[number + 1] ?? 0;
    for (let at = this.#starts[number] ?? 0; at < end; at++) {
      const hash = this.#hashes[at] ?? 0;
      if (bits[hash & 255] === 1 && wanted.has(hash)) return true;
    }
    return false;
  }
}

/** Returns the names in the paths of the files with code. */
export const getPathNames = cacheUntilEdited(
  (index: SearchIndex) => new PathNames(index.getPaths()),
);

/** Returns the names in the paths of the files with sections. */
export const getSectionPathNames = cacheUntilEdited(
  (index: SearchIndex) => new PathNames(index.getSectionPaths()),
);

/** Calls `visit` with the FNV-1a hash of each name in a path, with its last bits mixed. */
function forEachHash(path: string, visit: (hash: number) => void): void {
  let hash = FNV_OFFSET;
  for (let i = 0; i < path.length; i++) {
    const code = toLowerCase(path.charCodeAt(i));
    if (code === SLASH || code === DOT) {
      visit(hash ^ (hash >>> 15));
      hash = FNV_OFFSET;
    } else hash = Math.imul(hash ^ code, 0x01000193);
  }
  visit(hash ^ (hash >>> 15));
}

const toLowerCase = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const FNV_OFFSET = 0x811c9dc5 | 0;
