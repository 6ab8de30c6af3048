/** Which lines of an issue are code or output: they get a ground of their own, on which wrapped lines stay together. */

const MOST_LINES = 20_000;

/** Fenced and indented blocks and tracebacks, as [first, last] line numbers (1-based, inclusive). */
export function codeBlocks(text: string): [first: number, last: number][] {
  const lines = text.split('\n', MOST_LINES);
  const blocks: [number, number][] = [];
  let end = -1;
  for (const [at, line] of lines.entries()) {
    if (at <= end) continue;
    const found =
      endOfFence(lines, line, at) ??
      endOfTraceback(lines, line, at) ??
      endOfIndented(lines, line, at);
    if (found === null) continue;
    blocks.push([at + 1, found + 1]);
    end = found;
  }
  return blocks;
}

const isBlank = (line: string): boolean => line.trim() === '';

function endOfFence(lines: readonly string[], line: string, at: number): number | null {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (!fence) return null;
  const end = firstAfter(lines, at, (other) => other.trimStart().startsWith(fence));
  return end < 0 ? lines.length - 1 : end;
}

/** From `Traceback` to the exception under it, which is not indented. */
function endOfTraceback(lines: readonly string[], line: string, at: number): number | null {
  if (!/^\s*Traceback \(most recent call last\)/.test(line)) return null;
  const depth = indentOf(line);
  const end = firstAfter(lines, at, (other) => isBlank(other) || indentOf(other) <= depth);
  if (end < 0) return lines.length - 1;
  return isBlank(lines[end] ?? '') ? end - 1 : end;
}

/** Four columns after a blank line, until something is not indented. */
function endOfIndented(lines: readonly string[], line: string, at: number): number | null {
  const indented = (other: string) => !isBlank(other) && indentOf(other) >= 4;
  if (!indented(line) || !isBlank(lines[at - 1] ?? '')) return null;
  // The fourth column of a list's item is text, not code.
  const before = lines.slice(Math.max(0, at - 30), at).findLast((other) => !isBlank(other));
  if (before && /^\s*([-*+]|\d+[.)])\s/.test(before)) return null;
  let end = at;
  for (let next = at; next < lines.length; next++) {
    const other = lines[next] ?? '';
    if (indented(other)) end = next;
    else if (!isBlank(other)) break;
  }
  return end;
}

/** Its index; -1 for none. */
function firstAfter(lines: readonly string[], at: number, is: (line: string) => boolean): number {
  for (let next = at + 1; next < lines.length; next++) if (is(lines[next] ?? '')) return next;
  return -1;
}

const indentOf = (line: string): number =>
  line.slice(0, line.search(/[^ \t]|$/)).replaceAll('\t', '    ').length;
