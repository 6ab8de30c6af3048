import { BRACE_END, type CodeLayout, createIndentLayout } from './layout.ts';
import type { SourceLines } from './lines.ts';

const DIRECTIVE = /^\s*#/;
/** Directives, labels and the brace below a header, which may be unindented and do not end a block. */
const UNINDENTED = /^\s*(?:#|\{|(?:public|private|protected)\b[\w \t]*:|\w+:(?!:))/;
const ENDS_WITH_BRACE = /\};?$/;

/** Creates a layout for C: indented blocks between braces, and macros whose rows end with a backslash. */
export function createMacroLayout(tabWidth: number): CodeLayout {
  return {
    ...createIndentLayout(tabWidth, null, BRACE_END),
    findBlockEnd(lines, header, headerEnd, skip) {
      if (DIRECTIVE.test(lines.getRow(header))) return findMacroEnd(lines, header);
      if (ENDS_WITH_BRACE.test(lines.getRow(headerEnd).trimEnd())) return headerEnd;
      const indent = lines.getIndent(header);
      let end = headerEnd;
      for (let row = headerEnd + 1; row < lines.count; row++) {
        const own = lines.getIndent(row);
        if (own < 0) continue;
        if (own > indent || skip(row)) {
          end = row;
          continue;
        }
        const line = lines.getRow(row);
        if (own === indent && line.trimStart().startsWith('}')) return row;
        if (!UNINDENTED.test(line)) return end;
      }
      return end;
    },
  };
}

function findMacroEnd(lines: SourceLines, header: number): number {
  let end = header;
  while (end + 1 < lines.count && /\\\s*$/.test(lines.getRow(end))) end++;
  return end;
}
