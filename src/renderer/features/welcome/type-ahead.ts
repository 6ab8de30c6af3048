/**
 * Returns the index of the next name that begins with the typed text, ignoring case, or -1. One letter, also repeated, moves on to
 * the next such name; more letters may stay at `from`. The search continues at the beginning.
 */
export function findTyped(names: readonly string[], typed: string, from: number): number {
  const text = typed.toLowerCase();
  const isRepeated = text === text.charAt(0).repeat(text.length);
  const wanted = isRepeated ? text.charAt(0) : text;
  const start = isRepeated ? from + 1 : Math.max(0, from);
  for (let step = 0; step < names.length; step++) {
    const at = (start + step) % names.length;
    if (names[at]?.toLowerCase().startsWith(wanted)) return at;
  }
  return -1;
}
