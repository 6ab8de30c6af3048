import type { FileFacts, ReferenceFact } from '../languages/facts.ts';
import type { Store } from '../store/store.ts';

/**
 * Facts of file versions for the resolver. References are by far the most of them, and are needed only while a
 * file is being resolved: they are read when they are asked for, and only those of the newest file are kept. So the facts of a file are read
 * twice where all are resolved, which costs a tenth of resolving them.
 */
export class FactsReader {
  readonly #store: Store;
  #newest: { versionId: number; facts: FileFacts } | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  of(versionId: number): FileFacts {
    return withLateReferences(this.read(versionId), () => this.read(versionId).references);
  }

  read(versionId: number): FileFacts {
    if (this.#newest?.versionId !== versionId) {
      const facts = JSON.parse(this.#store.versions.facts(versionId)) as FileFacts;
      this.#newest = { versionId, facts };
    }
    return this.#newest.facts;
  }

  forget(): void {
    this.#newest = null;
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
