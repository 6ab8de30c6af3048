/** Work that pauses every few steps, so that whoever runs it may do something else in between. It yields how many it took. */
export type Stepwise<T> = Generator<number, T, void>;

export function finish<T>(work: Stepwise<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
