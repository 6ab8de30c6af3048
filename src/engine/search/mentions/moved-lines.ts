import { linesBefore } from '../../history/lines-before.ts';
import type { NamedLines } from '../../issue/mentions/lines.ts';

/** How far around lines that are all gone one is looked for that is left. */
const MOST_AROUND = 50;

/**
 * Which lines of a file are by now what these were in another version of it: from the first to the last of them that are still
 * there, or else the nearest one that is; of two, the one below, as it is the signature of a function that is rewritten with what
 * stands above it. As they are where the versions have nothing in common.
 */
export function movedLines(named: NamedLines, then: string, now: string): NamedLines {
  const lineNow = then === now ? null : linesBefore(now, then);
  if (!lineNow) return named;
  const own = Array.from({ length: named.last - named.first + 1 }, (_, n) => named.first + n);
  const left = own.map(lineNow).filter((line) => line !== null);
  const [first] = left;
  if (first !== undefined) return { first, last: left.at(-1) ?? first };
  const end = then.trimEnd().split('\n').length;
  for (let away = 1; away <= MOST_AROUND; away++) {
    const around = [named.last + away, named.first - away];
    const inside = around.filter((line) => line >= 1 && line <= end);
    const [near] = inside.map(lineNow).filter((line) => line !== null);
    if (near !== undefined) return { first: near, last: near };
  }
  return named;
}
