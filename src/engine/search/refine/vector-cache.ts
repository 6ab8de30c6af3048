import { keepLatest } from '../../../shared/keep-latest.ts';
import type { QuantizedVector } from '../../vectors/quantized.ts';

/** Vectors by the key of what was encoded (`rowKeys`), the last used of them, in memory. */
export class VectorCache {
  /** In the order of their last use. */
  readonly #vectors = new Map<string, QuantizedVector>();
  readonly #most: number;

  /** @param most how many are kept; 30,000 of 384 dimensions are 12 MB. */
  constructor(most = 30_000) {
    this.#most = most;
  }

  get(key: string): QuantizedVector | undefined {
    return this.#vectors.get(key);
  }

  /** Keeps a vector, or says that it was used. */
  set(key: string, vector: QuantizedVector): void {
    keepLatest(this.#vectors, key, vector, this.#most);
  }
}
