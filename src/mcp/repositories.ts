import type { OpenOptions } from '../services/open-repository.ts';
import { LiveIndex } from './live-index.ts';
import type { Place } from './roots.ts';

/** How repositories are opened, whichever they are. */
export type EngineOptions = Pick<
  OpenOptions,
  'dataDir' | 'model' | 'device' | 'exclude' | 'revision' | 'commitsKept' | 'readOnly'
>;

/** The indexes of a server, shared by all of its calls. */
export class Repositories {
  readonly #options: EngineOptions;
  readonly #indexes = new Map<string, LiveIndex>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  at({ folder, within }: Place): LiveIndex {
    // What may be read of a folder depends on where it was found.
    const key = JSON.stringify([folder, within]);
    let index = this.#indexes.get(key);
    if (!index) {
      index = new LiveIndex(async (readOnly) => {
        // Loaded when first needed: agents give a server little time to say hello.
        const { openRepository } = await import('../services/open-repository.ts');
        const options = this.#options;
        return openRepository(folder, {
          ...options,
          within,
          readOnly: readOnly || options.readOnly,
        });
      }, this.#options.revision !== undefined);
      this.#indexes.set(key, index);
    }
    return index;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#indexes.values()].map((index) => index.close()));
  }
}
