import type { Definition } from './file-index.ts';
import type { Reads } from './reads.ts';

/** A class and all it derives from. */
export interface Lineage {
  /** The class and its known bases in method resolution order. */
  order: readonly Definition[];
  /** False when a base lies outside the repository or could not be resolved. */
  complete: boolean;
  /** What the lineage was derived from. */
  reads: Reads;
  /** What it takes to derive it, whether or not it was at hand. */
  steps: number;
  /** Whether bases may be missing, or their order may not be the language's, because they were too many. */
  cut: boolean;
}
