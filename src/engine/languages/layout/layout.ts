/** How lines of code show what belongs together, for text without a syntax tree. */
import type { Lines } from './lines.ts';

export interface Layout {
  /** Columns a tab advances to a multiple of. */
  tabWidth: number;
  /**
   * Last row of the block that a header begins, which ends on row `headerEnd`. Rows that `skip` holds for, such as those
   * inside a string, do not end it.
   */
  blockEnd(lines: Lines, header: number, headerEnd: number, skip: (row: number) => boolean): number;
  /** How deep inside other blocks the line that begins at `start` is laid out, in columns. */
  depthAt(text: string, start: number): number;
  /** Whether the line that begins at `start` says no more than that a block ends, which is laid out as deep as this line. */
  endsAt(text: string, start: number): boolean;
}

/**
 * Blocks whose rows are indented deeper than their header.
 * @param closer what the row after them begins with where it still belongs to them; null where nothing closes a block
 * @param end a line that says no more than that a block ends, sticky; null where no line does
 */
export function indented(
  tabWidth: number,
  closer: RegExp | null = null,
  end: RegExp | null = null,
): Layout {
  return {
    tabWidth,
    blockEnd(lines, header, headerEnd, skip) {
      const indent = lines.indent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.indent(row);
        if (own < 0) continue;
        if (own <= indent && !skip(row)) {
          const closes = own === indent && closer?.test(lines.row(row).trimStart());
          return closes ? row : end;
        }
        end = row;
      }
      return end;
    },
    depthAt: (text, start) => columnsAt(text, start, tabWidth),
    endsAt(text, start) {
      if (!end) return false;
      end.lastIndex = start;
      return end.test(text);
    },
  };
}

/** A line with the brace that ends a block, and with what may follow one: `};`, `})`, `} name;`, a comment. */
export const BRACE_ENDS =
  /[ \t]*\}[ \t]{0,8}(?:\w{1,80}[ \t]{0,8})?[);,]{0,8}[ \t]{0,40}(?:\/[/*][^\n]*)?\r?$/my;

function columnsAt(text: string, start: number, tabWidth: number): number {
  let columns = 0;
  for (let i = start; ; i++) {
    const code = text.charCodeAt(i);
    if (code === SPACE) columns++;
    else if (code === TAB) columns += tabWidth - (columns % tabWidth);
    else return columns;
  }
}

const SPACE = 32;
const TAB = 9;
