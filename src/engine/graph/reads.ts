import { getOrAdd } from '../../shared/get-or-add.ts';
import type { FileIndex } from './file-index.ts';

/**
 * What an answer was derived from, so that an edit can tell whether it may change: the files looked into, the names
 * looked up there, the module names tried, the names that were searched for in the whole repository, and the answers it
 * was made of. Those are shared with others that were made of them: copying them would be quadratic.
 */
export class Reads {
  files: ReadonlySet<string> = NOTHING;
  names: ReadonlySet<string> = NOTHING;
  modules: ReadonlySet<string> = NOTHING;
  guesses: ReadonlySet<string> = NOTHING;
  callees: ReadonlySet<string> = NOTHING;
  parts: ReadonlySet<Reads> = NOTHING;

  look(file: FileIndex, name: string): void {
    this.files = including(this.files, file.path);
    this.names = including(this.names, name);
  }

  tryModule(name: string): void {
    this.modules = including(this.modules, name);
  }

  guess(name: string): void {
    this.guesses = including(this.guesses, name);
  }

  leadInto(file: FileIndex): void {
    this.callees = including(this.callees, file.path);
  }

  include(part: Reads): void {
    this.parts = including(this.parts, part);
  }
}

/** Most of what is read is nothing: an empty set of its own would take as much as one with four. */
const NOTHING: ReadonlySet<never> = new Set();

function including<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  return set === NOTHING ? new Set([value]) : (set as Set<T>).add(value);
}

/** What changed between two states of a repository, as other files may notice it. */
export class Changes {
  readonly #names = new Map<string, Set<string>>();
  readonly #anyName = new Set<string>();
  /** Module names whose look-up may end differently. */
  readonly modules = new Set<string>();
  /** Whether they concern an answer, for answers that several others are made of. */
  readonly #known = new Map<Reads, boolean>();

  add(path: string, names: Iterable<string>): void {
    const changed = getOrAdd(this.#names, path, () => new Set<string>());
    for (const name of names) {
      changed.add(name);
      this.#anyName.add(name);
    }
  }

  get paths(): Iterable<string> {
    return this.#names.keys();
  }

  /** Whether what was derived from these reads may be different now. Ask when all changes are noted. */
  concern(reads: Reads): boolean {
    let known = this.#known.get(reads);
    if (known === undefined) {
      known = this.#concernItself(reads) || reads.parts.values().some((part) => this.concern(part));
      this.#known.set(reads, known);
    }
    return known;
  }

  #concernItself({ files, names, modules, guesses, callees }: Reads): boolean {
    if (intersects(this.modules, modules) || intersects(this.#anyName, guesses)) return true;
    if (callees.size > 0 && intersects(this.#names, callees)) return true;
    const [few, many] = files.size < this.#names.size ? [files, this.#names] : [this.#names, files];
    for (const path of few.keys()) {
      const changed = many.has(path) && this.#names.get(path);
      if (changed && (changed.has('*') || intersects(changed, names))) return true;
    }
    return false;
  }
}

interface Keys {
  readonly size: number;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

function intersects(a: Keys, b: Keys): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const key of few.keys()) if (many.has(key)) return true;
  return false;
}
