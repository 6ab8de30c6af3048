import { linesBefore } from '../../history/lines-before.ts';
import type { NamedLines } from '../../issue/mentions/lines.ts';

/** Lines above that are looked at where none of those named is left. */
const MOST_ABOVE = 50;

/**
 * Which lines of a file are by now what these were in another version of it: from the first to the last of them that are still
 * there, or else the line that follows the nearest one above that is. As they are where the versions have nothing in common.
 */
export function movedLines(named: NamedLines, then: string, now: string): NamedLines {
  const lineNow = then === now ? null : linesBefore(now, then);
  if (!lineNow) return named;
  const left: number[] = [];
  for (let line = named.first; line <= named.last; line++) {
    const still = lineNow(line);
    if (still !== null) left.push(still);
  }
  const [first] = left;
  if (first !== undefined) return { first, last: left.at(-1) ?? first };
  for (let line = named.first - 1; line > 0 && named.first - line <= MOST_ABOVE; line--) {
    const above = lineNow(line);
    if (above !== null) return { first: above + 1, last: above + 1 };
  }
  return named;
}
