/** Returns the index that a key moves to in a list, from the active one; undefined for other keys. */
export function indexAfterKey(
  key: string,
  active: number,
  count: number,
  page = 8,
): number | undefined {
  const last = count - 1;
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: last,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}
