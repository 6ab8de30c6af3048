class OutOfSteps extends Error {}

/**
 * Counts the steps of a piece of work and ends it when they are too many. A step is one look at a name, a class, a module
 * or a fact. Steps, unlike time, are the same for the same files: what is cut once is cut again.
 */
export class Budget {
  spent = 0;
  cut = false;
  readonly #total: number;
  #limit: number;

  constructor(total: number) {
    this.#total = total;
    this.#limit = total;
  }

  get isSpent(): boolean {
    return this.spent > this.#total;
  }

  /** @throws OutOfSteps when this is more than is left. */
  spend(steps = 1): void {
    this.spent += steps;
    if (this.spent > this.#limit) throw new OutOfSteps();
  }

  /** Runs a part of the work, which may take at most `most` steps; returns undefined, with `cut` set, when it would take more. */
  attempt<T>(work: () => T, most = Number.POSITIVE_INFINITY): T | undefined {
    this.#limit = Math.min(this.#total, this.spent + most);
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      this.cut = true;
      return undefined;
    }
  }
}
