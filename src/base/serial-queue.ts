/** Runs work one after another, in the order in which it was added. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs work once all work before it has ended, whether or not that failed. Settles as the work does. */
  add<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(work);
    // Whoever added the work is told.
    this.#last = result.catch(() => {});
    return result;
  }

  async idle(): Promise<void> {
    await this.#last;
  }
}
