/** Work that pauses every few steps, so that its runner can do something else. It yields the number of steps it took. */
export type Stepwise<T> = Generator<number, T, void>;

/** Runs work to its end without pauses. */
export function runToEnd<T>(work: Stepwise<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
