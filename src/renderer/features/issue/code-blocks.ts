/** Which lines of an issue are code or output: they get a ground of their own, on which wrapped lines stay together. */

const MOST_LINES = 20_000;

/** Fenced and indented blocks and tracebacks, as [first, last] line numbers (1-based, inclusive). */
export function codeBlocks(text: string): [first: number, last: number][] {
  const lines = text.split('\n', MOST_LINES);
  const blocks: [number, number][] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = endOfFence(lines, at) ?? endOfTraceback(lines, at) ?? endOfIndented(lines, at);
    if (end === null) continue;
    blocks.push([at + 1, end + 1]);
    at = end;
  }
  return blocks;
}

function endOfFence(lines: readonly string[], at: number): number | null {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at])?.[1];
  if (!fence) return null;
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(fence)) end++;
  return Math.min(end, lines.length - 1);
}

/** From `Traceback` to the exception under it, which is not indented. */
function endOfTraceback(lines: readonly string[], at: number): number | null {
  if (!/^\s*Traceback \(most recent call last\)/.test(lines[at])) return null;
  const depth = indentOf(lines[at]);
  let end = at + 1;
  while (end < lines.length && (lines[end].trim() === '' ? false : indentOf(lines[end]) > depth))
    end++;
  return end < lines.length && lines[end].trim() !== '' ? end : end - 1;
}

/** Four columns after a blank line, until something is not indented. */
function endOfIndented(lines: readonly string[], at: number): number | null {
  const indented = (line: string) => line.trim() !== '' && indentOf(line) >= 4;
  if (!indented(lines[at]) || (at > 0 && lines[at - 1].trim() !== '')) return null;
  // The fourth column of a list's item is text, not code.
  const before = lines.slice(Math.max(0, at - 30), at).findLast((line) => line.trim() !== '');
  if (before && /^\s*([-*+]|\d+[.)])\s/.test(before)) return null;
  let end = at;
  for (let next = at; next < lines.length; next++) {
    if (indented(lines[next])) end = next;
    else if (lines[next].trim() !== '') break;
  }
  return end;
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ').length;
