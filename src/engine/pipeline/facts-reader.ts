import type { FileFacts } from '../languages/facts.ts';
import type { Store } from '../store/store.ts';

/**
 * Facts of file versions for the resolver. References are by far the most of them, and are needed only while a
 * file is being resolved: they are read when they are asked for, and kept no longer than until `forget`.
 */
export class FactsReader {
  readonly #store: Store;
  readonly #read = new Map<number, FileFacts>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(versionId: number): FileFacts {
    const { imports, bindings, locals, omitted } = this.read(versionId);
    const references = () => this.read(versionId).references;
    return {
      imports,
      bindings,
      locals,
      omitted,
      get references() {
        return references();
      },
    };
  }

  /** All facts of a version, which are at hand from then on. */
  read(versionId: number): FileFacts {
    const known = this.#read.get(versionId);
    if (known) return known;
    const facts = JSON.parse(this.#store.versions.facts(versionId)) as FileFacts;
    this.#read.set(versionId, facts);
    return facts;
  }

  /** Lets go of the references that were read. */
  forget(): void {
    this.#read.clear();
  }
}
