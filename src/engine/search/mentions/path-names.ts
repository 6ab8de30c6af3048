import type { SearchIndex } from '../../snapshot/types.ts';
import { untilEdited } from '../until-edited.ts';

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

/** Of the paths of an index. */
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

/** Of a letter of ASCII. */
const lowerCase = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const FIRST = 0x811c9dc5 | 0;
