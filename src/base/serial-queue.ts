/** Runs tasks one after another, in the order in which they were added. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task after all earlier ones have ended or failed. Settles as the task does. */
  add<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(work);
    // The caller of `add` gets the error.
    this.#last = result.catch(() => {});
    return result;
  }

  async waitUntilIdle(): Promise<void> {
    await this.#last;
  }
}
