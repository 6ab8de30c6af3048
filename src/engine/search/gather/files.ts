import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { untilEdited } from './chunks.ts';

/** Finds the repository's files for paths from elsewhere. Looks once at every path that has a name of theirs. */
export class FileMatcher {
  /** By base name in lower case. */
  readonly #byBaseName = new Map<string, string[]>();
  /** By base name in lower case, the sorted files of each end that paths with it have: `c.py`, `b/c.py`, `a/b/c.py`. */
  readonly #byEnd = new Map<string, Ends>();
  readonly #byModule = new Map<string, string[]>();

  /** Only base names and modules that occur in `wanted` can be asked for afterwards. */
  constructor(
    index: SearchIndex,
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
    const lastNames = new Set(this.#byModule.keys().map(lastName));
    const firstNames = Array.from(this.#byBaseName.keys(), lastName);
    for (const path of pathNames(index).with([...lastNames, ...firstNames])) {
      this.#byBaseName.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase())?.push(path);
      if (!hasName(path, lastNames)) continue;
      for (const module of modulesOf(path, syntaxes)) this.#byModule.get(module)?.push(path);
    }
  }

  /**
   * The files that share the longest end with these path segments, how long it is, and whether it is their whole path. Windows
   * and people mind no case: a longer end counts in whichever it is written, but for a base name alone, which may be a word
   * (`Node.js`).
   * @param isFile whether it is a file for sure
   */
  bySuffix(segments: readonly string[], isFile = false): Suffix {
    const baseName = (segments.at(-1) ?? '').toLowerCase();
    const ends = getOrAdd(this.#byEnd, baseName, () => {
      const made: Ends = { asWritten: new Map(), inLowerCase: new Map() };
      for (const path of this.#byBaseName.get(baseName)?.sort() ?? []) addEnds(path, made);
      return made;
    });
    const asWritten = longestEnd(segments, ends.asWritten);
    const lower = segments.map((segment) => segment.toLowerCase());
    const inLowerCase = longestEnd(lower, ends.inLowerCase);
    const least = isFile ? asWritten.common : Math.max(1, asWritten.common);
    return inLowerCase.common > least ? inLowerCase : asWritten;
  }

  byModule(module: string): string[] {
    return (this.#byModule.get(module) ?? []).toSorted();
  }
}

interface Suffix {
  files: string[];
  common: number;
  whole: boolean;
}

interface Ends {
  asWritten: Map<string, string[]>;
  inLowerCase: Map<string, string[]>;
}

function longestEnd(segments: readonly string[], byEnd: ReadonlyMap<string, string[]>): Suffix {
  let end = segments.at(-1) ?? '';
  let files: string[] = [];
  let common = 0;
  for (let longer = byEnd.get(end); longer; longer = byEnd.get(end)) {
    files = longer;
    common++;
    if (common === segments.length) break;
    end = `${segments.at(-1 - common)}/${end}`;
  }
  const { length } = segments.slice(-common).join('/');
  const whole = common > 0 ? files.filter((file) => file.length === length) : [];
  return { files: whole.length > 0 ? whole : files, common, whole: whole.length > 0 };
}

function addEnds(path: string, { asWritten, inLowerCase }: Ends): void {
  for (let at = path.length; at >= 0; ) {
    at = at === 0 ? -1 : path.lastIndexOf('/', at - 1);
    const end = path.slice(at + 1);
    getOrAdd(asWritten, end, () => []).push(path);
    getOrAdd(inLowerCase, end.toLowerCase(), () => []).push(path);
  }
}

/** Of `shop/cart.test` cart: a name that the path of the module's file has between slashes and dots. */
function lastName(module: string): string {
  const [name = ''] = module.slice(module.lastIndexOf('/') + 1).split('.', 1);
  return name;
}

/** Whether one of these names stands in a path between slashes and dots: what its modules are called is worked out for few. */
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

/** What a file's module may be called: `src/pkg/sub/mod.py` is pkg/sub/mod. */
function modulesOf(path: string, syntaxes: readonly IssueSyntax[]): Set<string> {
  const within = path.replace(/^(?:src|lib)\//, '');
  return new Set(syntaxes.map((syntax) => syntax.moduleOf(within)));
}

const SLASH = 47;
const DOT = 46;

/**
 * The names that an index's paths have between slashes and dots, `pkg`, `mod` and `py` of `pkg/mod.py`, as a hash of each: an issue names
 * few files of many, and most paths are told from those by comparing numbers.
 */
class PathNames {
  readonly #paths: string[];
  readonly #hashes: Int32Array;
  /** Where the hashes of each path begin, and those of the last one end. */
  readonly #starts: Uint32Array;

  constructor(paths: Iterable<string>) {
    this.#paths = [...paths];
    this.#starts = new Uint32Array(this.#paths.length + 1);
    const hashes: number[] = [];
    for (const [number, path] of this.#paths.entries()) {
      eachHash(path, (hash) => hashes.push(hash));
      this.#starts[number + 1] = hashes.length;
    }
    this.#hashes = Int32Array.from(hashes);
  }

  /** The paths that have one of these names, in whichever case, and seldom one that has not, in their order. */
  *with(names: Iterable<string>): IterableIterator<string> {
    const wanted = new Set<number>();
    // One bit for the low bits of each: a path has most of its names in vain.
    const bits = new Uint8Array(1 << 8);
    for (const name of names)
      eachHash(name, (hash) => {
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

export const pathNames = untilEdited((index: SearchIndex) => new PathNames(index.paths()));

/** FNV-1a of each name in a path, the last bits mixed. */
function eachHash(path: string, found: (hash: number) => void): void {
  let hash = FIRST;
  for (let i = 0; i < path.length; i++) {
    const code = lowerCase(path.charCodeAt(i));
    if (code === SLASH || code === DOT) {
      found(hash ^ (hash >>> 15));
      hash = FIRST;
    } else hash = Math.imul(hash ^ code, 0x01000193);
  }
  found(hash ^ (hash >>> 15));
}

const lowerCase = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const FIRST = 0x811c9dc5 | 0;
