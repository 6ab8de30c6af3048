import { getOrAdd } from '../../shared/get-or-add.ts';
import type { FileIndex } from './file-index.ts';

/**
 * Everything that an answer depends on, to tell whether an edit may change it: files and names that were looked up, module
 * names that were tried, names that were searched in the whole repository, and the read sets of partial answers. Partial
 * read sets are shared rather than copied, since copying them would take quadratic time.
 */
export class ReadSet {
  files: ReadonlySet<string> = EMPTY_SET;
  names: ReadonlySet<string> = EMPTY_SET;
  modules: ReadonlySet<string> = EMPTY_SET;
  guesses: ReadonlySet<string> = EMPTY_SET;
  callees: ReadonlySet<string> = EMPTY_SET;
  parts: ReadonlySet<ReadSet> = EMPTY_SET;

  addLookup(file: FileIndex, name: string): void {
    this.files = addToSet(this.files, file.path);
    this.names = addToSet(this.names, name);
  }

  addModule(name: string): void {
    this.modules = addToSet(this.modules, name);
  }

  addGuess(name: string): void {
    this.guesses = addToSet(this.guesses, name);
  }

  addCallee(file: FileIndex): void {
    this.callees = addToSet(this.callees, file.path);
  }

  include(part: ReadSet): void {
    this.parts = addToSet(this.parts, part);
  }
}

/** Shared empty set. Most sets stay empty, and an own empty set takes as much memory as one with four values. */
const EMPTY_SET: ReadonlySet<never> = new Set();

function addToSet<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  return set === EMPTY_SET ? new Set([value]) : (set as Set<T>).add(value);
}

/** Changes between two states of a repository that other files can notice. */
export class GraphChanges {
  readonly #names = new Map<string, Set<string>>();
  readonly #anyName = new Set<string>();
  /** Module names that may resolve differently now. */
  readonly modules = new Set<string>();
  /** Cached results of `affects`, since read sets are shared. */
  readonly #results = new Map<ReadSet, boolean>();

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

  /** Returns true if an answer with these reads may be different now. Call it after adding all changes. */
  affects(reads: ReadSet): boolean {
    let known = this.#results.get(reads);
    if (known === undefined) {
      known =
        this.#affectsDirectly(reads) || reads.parts.values().some((part) => this.affects(part));
      this.#results.set(reads, known);
    }
    return known;
  }

  #affectsDirectly({ files, names, modules, guesses, callees }: ReadSet): boolean {
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
