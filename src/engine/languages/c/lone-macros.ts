/** Removes calls of macros alone on a row and without a semicolon, such as `EXPORT_SYMBOL(f)`, before they become a function's type. */
import { blankOut } from '../blank.ts';

/** Matches `EXPORT_SYMBOL(f)` at the start of a row, which may end with a comment. */
const CALL =
  /^[A-Z][A-Z0-9_]{2,80}\((?:[^()]|\([^()]{0,80}\)){0,200}\)[ \t]{0,8}(?:\/\/.*|\/\*.{0,200}\*\/[ \t]{0,8})?\r?$/;
const ENDS_DECLARATION = /(?:[;{}/]|^[ \t]*(?:#.*)?)\r?$/;
/** Start of a row that can be a declaration's first one. */
const DECLARATION = /^[A-Za-z_#/]/;

/**
 * Replaces such calls by white space if a declaration follows. The grammar of C reads them as the type of that declaration. It does
 * understand calls at the end of a file. In C++, the grammar's errors are smaller, and definitions are kept.
 */
export function removeLoneMacros(text: string): string {
  if (!/^[A-Z][A-Z0-9_]{2,80}\(/m.test(text)) return text;
  const lines = text.split('\n');
  let run: number[] = [];
  let before = '';
  for (const [row, line] of lines.entries()) {
    if (CALL.test(line) && (run.length > 0 || ENDS_DECLARATION.test(before))) {
      run.push(row);
      continue;
    }
    const isBlank = line.trim() === '';
    if (isBlank && run.length > 0) continue;
    if (DECLARATION.test(line)) for (const at of run) lines[at] = blankOut(lines[at] ?? '');
    run = [];
    if (!isBlank) before = line.trimEnd();
  }
  return lines.join('\n');
}
