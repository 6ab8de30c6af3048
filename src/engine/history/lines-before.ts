import { diffCode } from '../../shared/code-diff.ts';

/** Maps lines of `after` to lines of `before`, null for added ones. Null if the texts have nothing in common. */
export function linesBefore(
  before: string,
  after: string,
): ((line: number) => number | null) | null {
  const at = (code: string) => ({ code, startLine: 1 });
  const hunks = diffCode(at(before), at(after));
  const [first, ...others] = hunks;
  // Nothing stands around a hunk of the whole text, nor in it.
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
