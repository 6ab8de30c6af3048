import type { MatchingLine } from '../../shared/grep.ts';

/** Maximum UTF-16 units of a line that are shown, and units before the first match in a longer one. */
const MAX_LINE = 200;
const BEFORE = 60;

type Span = [start: number, end: number];

/**
 * Removes the indentation of a line, and cuts a long one to the part around its first match. Pure.
 * @param spans matches in order; at least one
 */
export function shortenLine(line: string, spans: readonly Span[]): Omit<MatchingLine, 'line'> {
  const column = spans[0]?.[0] ?? 0;
  const indentation = line.length - line.trimStart().length;
  const from = Math.min(indentation, column);
  const rest = line.slice(from).trimEnd().length;
  const start = rest <= MAX_LINE ? from : alignToCharacter(line, Math.max(from, column - BEFORE));
  const end = alignToCharacter(line, start + Math.min(MAX_LINE, from + rest - start));
  const text = line.slice(start, Math.max(end, start));
  return {
    column,
    text,
    spans: spans
      .map(([first, last]): Span => [first - start, Math.min(last - start, text.length)])
      .filter(([first, last]) => first < last),
  };
}

/** Returns a position that does not separate the two halves of a character. */
function alignToCharacter(line: string, position: number): number {
  const unit = line.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position;
}
