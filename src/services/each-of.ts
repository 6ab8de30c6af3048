/** What `work` makes of each, in their order; so many are worked on at a time. */
export async function eachOf<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const [at, item] of left) results[at] = await work(item);
    }),
  );
  return results;
}
