import { diffCode } from '../../shared/code-diff.ts';

/** Returns a function that maps lines of `after` to lines of `before`, null for added ones. Null if no line is shared. */
export function createLineMapper(
  before: string,
  after: string,
): ((line: number) => number | null) | null {
  const at = (code: string) => ({ code, startLine: 1 });
  const hunks = diffCode(at(before), at(after));
  const [first, ...others] = hunks;
  // A single hunk that covers the whole text and has no unchanged line: the texts share nothing.
  const whole = first?.now.start === 1 && others.length === 0;
  if (whole && first.lines.every(({ is }) => is !== 'same')) return null;
  return (line) => {
    let shift = 0;
    for (const { was, now, lines } of hunks) {
      if (line < now.start) break;
      const inside = lines.find((one) => one.now === line);
      if (inside) return inside.was;
      shift = was.start + was.count - (now.start + now.count);
    }
    return line + shift;
  };
}
