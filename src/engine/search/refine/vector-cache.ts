/** Vectors by the key of what was encoded (`rowKeys`), the last used of them, in memory. */
export class VectorCache {
  /** In the order of their last use. */
  readonly #vectors = new Map<string, Float32Array>();
  readonly #most: number;

  /** @param most how many are kept; 8,000 of 384 dimensions are 12 MB. */
  constructor(most = 8_000) {
    this.#most = most;
  }

  get(key: string): Float32Array | undefined {
    return this.#vectors.get(key);
  }

  /** Keeps a vector, or says that it was used. */
  set(key: string, vector: Float32Array): void {
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    if (this.#vectors.size <= this.#most) return;
    for (const oldest of this.#vectors.keys()) {
      this.#vectors.delete(oldest);
      break;
    }
  }
}
