import type { FileFacts, ReferenceFact } from '../languages/facts.ts';
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
    return withLateReferences(this.read(versionId), () => this.read(versionId).references);
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

/** The facts of a file whose references are read each time they are asked for. */
export function withLateReferences(
  { references: _read, ...rest }: FileFacts,
  references: () => ReferenceFact[],
): FileFacts {
  return {
    ...rest,
    get references() {
      return references();
    },
  };
}
