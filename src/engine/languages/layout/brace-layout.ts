import { BRACE_END, type CodeLayout, createIndentLayout } from './layout.ts';

/** Start of a row that belongs to the block above it, and end of a row that continues on the next. */
const CLOSING = /^[})\]]/;
const OPENING = /^\{/;
const CONTINUED = /[{([,:=]$/;
/** Row of a comment, a directive (`#if`) or an attribute (`#[test]`), which may belong to the code below. */
const COMMENT = /^(?:\/[/*]|\*|#)/;

/**
 * Creates a layout of blocks between braces, found by indentation, because braces are unreliable in text with syntax errors.
 * @param outside rows that are ignored at any indentation, such as directives and labels; null if there are none
 */
export function createBraceLayout(tabWidth: number, outside: RegExp | null = null): CodeLayout {
  return {
    ...createIndentLayout(tabWidth, null, BRACE_END),
    findBlockEnd(lines, header, headerEnd, skip) {
      const indent = lines.getIndent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.getIndent(row);
        if (own < 0) continue;
        const text = lines.getRow(row).trim();
        const isInside = own > indent || skip(row) || outside?.test(text);
        if (!isInside && !continuesBlock(text, own === indent)) return end;
        if (own <= indent && COMMENT.test(text)) continue;
        end = row;
        if (!isInside && CLOSING.test(text) && !CONTINUED.test(text)) return end;
      }
      return end;
    },
  };
}

function continuesBlock(text: string, isAligned: boolean): boolean {
  return isAligned && (CLOSING.test(text) || OPENING.test(text));
}
