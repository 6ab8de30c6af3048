class OutOfSteps extends Error {}

/**
 * Counts the steps of a computation and stops it at a limit. One step is one lookup of a name, class, module or fact.
 * Unlike time, steps are the same for the same files, so results are reproducible.
 */
export class StepBudget {
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

  /** @throws OutOfSteps if more steps are spent than are left. */
  spend(steps = 1): void {
    this.spent += steps;
    if (this.spent > this.#limit) throw new OutOfSteps();
  }

  /** Runs a computation of at most `maxSteps` steps. If it would take more, sets `cut` and returns undefined. */
  attempt<T>(compute: () => T, maxSteps = Number.POSITIVE_INFINITY): T | undefined {
    this.#limit = Math.min(this.#total, this.spent + maxSteps);
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      this.cut = true;
      return undefined;
    }
  }
}
