/**
 * Applies an asynchronous function to items, `width` of them at a time, and yields the results in order.
 * Starts no more while the consumer is busy, so that memory is bounded by the width.
 */
export async function* mapWindow<Item, Result>(
  items: Iterable<Item>,
  width: number,
  apply: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    const result = apply(item);
    // A rejection is thrown when the result is yielded. Until then it must not count as unhandled.
    result.catch(() => {});
    running.push(result);
    const first = running.length < width ? undefined : running.shift();
    if (first) yield await first;
  }
  for (const left of running) yield await left;
}
