/** Code with the number of each line, as the tools show it. */
import { escapeHidden, quoteNumberedLine } from '../shared/quote.ts';

export interface NumberedLine {
  /** 1-based. */
  line: number;
  text: string;
}

/** Maximum length of a line, in UTF-16 units. */
const MAX_LINE = 240;
const GAP = '…';

/** Returns a line without control characters, cut if it is long. Tabs stay, since agents copy the code. */
export function toNumberedLine({ line, text }: NumberedLine): NumberedLine {
  const shown = text.trimEnd().split('\t').map(escapeHidden).join('\t');
  return { line, text: shown.length > MAX_LINE ? `${shown.slice(0, MAX_LINE - 1)}${GAP}` : shown };
}

/** Returns the characters that a line takes in an answer, with its line break. */
export const measureLine = ({ line, text }: NumberedLine): number =>
  quoteNumberedLine(line, text).length + 1;

/** Formats lines as `12| code`. The numbers show where lines are omitted. */
export const formatNumberedLines = (lines: readonly NumberedLine[]): string[] =>
  lines.map(({ line, text }) => quoteNumberedLine(line, text));
