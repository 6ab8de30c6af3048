/** A map from integers of 1 to 2³² - 1 to integers of 0 to 2³² - 2. It takes 8 to 16 bytes per entry; a `Map` takes 40. */
export class IdTable {
  #keys: Uint32Array;
  /** 1 + the value; 0 for a deleted key. */
  #values: Uint32Array;
  #used = 0;

  constructor(expected = 0) {
    const length = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.5)));
    this.#keys = new Uint32Array(length);
    this.#values = new Uint32Array(length);
  }

  get(key: number): number | undefined {
    const value = this.#values[this.#findIndex(key)]!;
    return value === 0 ? undefined : value - 1;
  }

  has(key: number): boolean {
    return this.#values[this.#findIndex(key)] !== 0;
  }

  set(key: number, value: number): void {
    if ((this.#used + 1) * 1.4 > this.#keys.length) this.#grow();
    const at = this.#findIndex(key);
    if (this.#keys[at] === 0) this.#used++;
    this.#keys[at] = key;
    this.#values[at] = value + 1;
  }

  delete(key: number): void {
    const at = this.#findIndex(key);
    if (this.#keys[at] === key) this.#values[at] = 0;
  }

  /** Returns the index of a key, or of the free entry for it. */
  #findIndex(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    // Fibonacci hashing spreads consecutive ids.
    let at = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    const live = values.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0);
    const fresh = new IdTable((live + 1) * 2);
    for (let at = 0; at < keys.length; at++)
      if (values[at] !== 0) fresh.set(keys[at]!, values[at]! - 1);
    this.#keys = fresh.#keys;
    this.#values = fresh.#values;
    this.#used = fresh.#used;
  }
}
