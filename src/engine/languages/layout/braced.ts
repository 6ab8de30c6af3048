import { BRACE_ENDS, indented, type Layout } from './layout.ts';

/** What a row begins with that still belongs to the block above it, and rows that go on after that. */
const CLOSES = /^[})\]]/;
const OPENS = /^\{/;
const GOES_ON = /[{([,:=]$/;
/** A row of a comment, a directive (`#if`) or an attribute (`#[test]`), which may as well be about what comes next. */
const COMMENT = /^(?:\/[/*]|\*|#)/;

/**
 * Blocks between braces, told by how their rows are indented: what the braces say is not to be trusted in text that does
 * not parse.
 * @param outside rows that say nothing, wherever they are indented, such as directives and labels; null where there are none
 */
export function braced(tabWidth: number, outside: RegExp | null = null): Layout {
  return {
    ...indented(tabWidth, null, BRACE_ENDS),
    blockEnd(lines, header, headerEnd, skip) {
      const indent = lines.indent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.indent(row);
        if (own < 0) continue;
        const text = lines.row(row).trim();
        const isInside = own > indent || skip(row) || outside?.test(text);
        if (!isInside && !continues(text, own === indent)) return end;
        if (own <= indent && COMMENT.test(text)) continue;
        end = row;
        if (!isInside && CLOSES.test(text) && !GOES_ON.test(text)) return end;
      }
      return end;
    },
  };
}

function continues(text: string, isAligned: boolean): boolean {
  return isAligned && (CLOSES.test(text) || OPENS.test(text));
}
