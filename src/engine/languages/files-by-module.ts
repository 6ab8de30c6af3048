import { getOrAdd } from '../../shared/get-or-add.ts';

/** Files by the modules that mean them, for languages in which a file has several names. */
export class FilesByModule {
  readonly #listModules: (path: string) => Iterable<string>;
  readonly #paths = new Map<string, Set<string>>();

  /** @param listModules lists the modules that mean a file, each once */
  constructor(listModules: (path: string) => Iterable<string>) {
    this.#listModules = listModules;
  }

  /** Adds a file. `touched` receives every module whose look-up may now have another result. */
  add(path: string, touched: Set<string>): void {
    for (const module of this.#listModules(path)) {
      touched.add(module);
      getOrAdd(this.#paths, module, () => new Set<string>()).add(path);
    }
  }

  /** Removes a file; `touched` as for `add`. */
  remove(path: string, touched: Set<string>): void {
    for (const module of this.#listModules(path)) {
      touched.add(module);
      const paths = this.#paths.get(module);
      if (paths?.delete(path) && paths.size === 0) this.#paths.delete(module);
    }
  }

  /** Returns the files that a module means. */
  get(module: string): ReadonlySet<string> {
    return this.#paths.get(module) ?? NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();
