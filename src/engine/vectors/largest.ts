/** Slots nearest to a query, best first, with their cosine similarities. */
export interface NearestSlots {
  slots: Uint32Array;
  similarities: Float32Array;
}

/** Returns the `k` largest values with their indices, largest first; equal ones by index. `k <= values.length`. */
export function findLargest(values: Float32Array, k: number): NearestSlots {
  const heap = new Uint32Array(k);
  // A heap of the best k values so far, with the worst of them at the top.
  const isWorse = (a: number, b: number) =>
    values[a]! < values[b]! || (values[a] === values[b] && a > b);
  const sink = (index: number, length: number) => {
    const moving = heap[index]!;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      if (child + 1 < length && isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!isWorse(heap[child]!, moving)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = moving;
  };
  for (let i = 0; i < k; i++) heap[i] = i;
  for (let i = (k >> 1) - 1; i >= 0; i--) sink(i, k);
  for (let i = k, worst = values[heap[0]!]!; i < values.length; i++) {
    if (!(values[i]! > worst)) continue;
    heap[0] = i;
    sink(0, k);
    worst = values[heap[0]!]!;
  }
  for (let length = k - 1; length > 0; length--) {
    [heap[0], heap[length]] = [heap[length]!, heap[0]!];
    sink(0, length);
  }
  return { slots: heap, similarities: Float32Array.from(heap, (slot) => values[slot]!) };
}
