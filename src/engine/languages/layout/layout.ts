/** Finds blocks by the layout of lines, for text without a syntax tree. */
import type { SourceLines } from './lines.ts';

export interface CodeLayout {
  /** Width of a tab in columns. */
  tabWidth: number;
  /**
   * Returns the last row of the block of a header, which itself ends on row `headerEnd`. Rows for which `skip` returns true,
   * such as those inside a string, do not end the block. Returns -1 if the layout does not tell.
   */
  findBlockEnd(
    lines: SourceLines,
    header: number,
    headerEnd: number,
    skip: (row: number) => boolean,
  ): number;
  /** Returns the indentation of the line that begins at `start`, in columns. */
  measureIndent(text: string, start: number): number;
  /** Returns true if the line that begins at `start` only ends a block with the same indentation. */
  isBlockEnd(text: string, start: number): boolean;
}

/**
 * Creates a layout of blocks whose rows are indented deeper than their header.
 * @param closer start of a row below a block that still belongs to it; null if nothing closes a block
 * @param end line that only ends a block, sticky; null if none exists
 */
export function createIndentLayout(
  tabWidth: number,
  closer: RegExp | null = null,
  end: RegExp | null = null,
): CodeLayout {
  return {
    tabWidth,
    findBlockEnd(lines, header, headerEnd, skip) {
      const indent = lines.getIndent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.getIndent(row);
        if (own < 0) continue;
        if (own <= indent && !skip(row)) {
          const closes = own === indent && closer?.test(lines.getRow(row).trimStart());
          return closes ? row : end;
        }
        end = row;
      }
      return end;
    },
    measureIndent: (text, start) => countColumns(text, start, tabWidth),
    isBlockEnd(text, start) {
      if (!end) return false;
      end.lastIndex = start;
      return end.test(text);
    },
  };
}

/** Line with the brace that ends a block, and text that may follow it: `};`, `})`, `} name;`, a comment. */
export const BRACE_END =
  /[ \t]*\}[ \t]{0,8}(?:\w{1,80}[ \t]{0,8})?[);,]{0,8}[ \t]{0,40}(?:\/[/*][^\n]*)?\r?$/my;

function countColumns(text: string, start: number, tabWidth: number): number {
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
