/** Work that is done one after the other: as much at once would take the memory and the processors of all of it. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs work when all that came before has ended, however it ended; of what is aborted by then, only that it does nothing is
   * for the work itself to see.
   */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
