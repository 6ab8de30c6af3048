/** Moving in a list by keys. */

/** Indexes before and after the active one; they may lie outside of the list. */
export interface Beside {
  before: number;
  after: number;
}

export const beside = (at: number): Beside => ({ before: at - 1, after: at + 1 });

/**
 * Returns the index that a key leads to in a list of `count`; null for a key that moves nothing.
 * @param page rows that Page Up and Page Down move by; 0 if they do not.
 */
export function stepTo(
  key: string,
  { before, after }: Beside,
  count: number,
  page = 0,
): number | null {
  const steps: Record<string, number> = {
    ArrowDown: after,
    ArrowUp: before,
    Home: 0,
    End: count - 1,
    ...(page > 0 && { PageDown: after + page - 1, PageUp: before - page + 1 }),
  };
  const next = steps[key];
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next));
}
