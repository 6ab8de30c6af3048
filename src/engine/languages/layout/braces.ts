import { BRACE_ENDS, indented, type Layout } from './layout.ts';
import type { Lines } from './lines.ts';

const DIRECTIVE = /^\s*#/;
/** Directives, labels and the brace below a header, which may be unindented and do not end a block. */
const UNINDENTED = /^\s*(?:#|\{|(?:public|private|protected)\b[\w \t]*:|\w+:(?!:))/;
const ENDS_WITH_BRACE = /\};?$/;

/** Creates a layout for C: indented blocks between braces, and macros whose rows end with a backslash. */
export function braced(tabWidth: number): Layout {
  return {
    ...indented(tabWidth, null, BRACE_ENDS),
    blockEnd(lines, header, headerEnd, skip) {
      if (DIRECTIVE.test(lines.row(header))) return findMacroEnd(lines, header);
      if (ENDS_WITH_BRACE.test(lines.row(headerEnd).trimEnd())) return headerEnd;
      const indent = lines.indent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.indent(row);
        if (own < 0) continue;
        if (own > indent || skip(row)) {
          end = row;
          continue;
        }
        const line = lines.row(row);
        if (own === indent && line.trimStart().startsWith('}')) return row;
        if (!UNINDENTED.test(line)) return end;
      }
      return end;
    },
  };
}

function findMacroEnd(lines: Lines, header: number): number {
  let end = header;
  while (end + 1 < lines.count && /\\\s*$/.test(lines.row(end))) end++;
  return end;
}
