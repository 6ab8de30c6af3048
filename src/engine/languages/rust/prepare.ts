/**
 * Removes macros around items, such as `cfg_rt! { … }` around functions, since the grammar does not parse what is in a macro. Only the
 * macro's name and its braces become white space; everything else keeps its position.
 */
import { blankOut } from '../blank.ts';

/** Matches `cfg_rt! {` and `doc! {macro_rules! select {`; group 1 is the indentation, group 2 the macro with its brace. */
const OPENING = /^([ \t]{0,40})((?:\w{1,60}::){0,3}(?!quote|parse_quote)\w{1,60}![ \t]{0,8}\{)/;
const ITEM =
  /^(?:pub(?:\([^()]{1,40}\))?[ \t]{1,8})?(?:(?:async|const|default|extern(?:[ \t]{1,8}"[^"]{0,20}")?|unsafe)[ \t]{1,8}){0,4}(?:(?:enum|fn|impl|mod|trait|type|use)\b|macro_rules!)|^(?:pub(?:\([^()]{1,40}\))?[ \t]{1,8})?struct[ \t]{1,8}\w{1,80}[ \t]{0,8}(?!:)(?:[({;<]|$|where\b)/;
/** Comments, attributes and blank rows, which may be above an item. */
const ABOVE_ITEM = /^(?:\/\/|\/\*|\*|#!?\[|$)/;
/** Parameters of a macro in the text, which no parsed item has. */
const PLACEHOLDER = /[#$](?:\(|[A-Za-z])/;
/** Maximum number of rows that are read to find the end of a macro. */
const MAX_ROWS = 5_000;

/** Replaces macros around items by white space. */
export function prepare(text: string): string {
  if (!/!\s{0,8}\{/.test(text)) return text;
  const lines = text.split('\n');
  let left = lines.length * 4;
  for (const [row, line] of lines.entries()) {
    const [opening, indent = '', macro = ''] = OPENING.exec(line) ?? [];
    if (opening === undefined || left <= 0) continue;
    const end = findEnd(lines, row, indent);
    left -= (end < 0 ? MAX_ROWS : end - row) + 1;
    if (end < 0) continue;
    const content = [line.slice(opening.length), ...lines.slice(row + 1, end)];
    if (!holdsItems(content)) continue;
    lines[row] = indent + blankOut(macro) + line.slice(opening.length);
    lines[end] = removeLastBrace(lines[end] ?? '');
  }
  return lines.join('\n');
}

/** Returns the row of the closing brace, which has the indentation of the opening row; -1 if none is near. */
function findEnd(lines: readonly string[], start: number, indent: string): number {
  const closing = `${indent}}`;
  const last = Math.min(lines.length - 1, start + MAX_ROWS);
  for (let row = start + 1; row <= last; row++)
    if (lines[row]?.startsWith(closing))
      return /^\}+\s*$/.test(lines[row]?.trim() ?? '') ? row : -1;
  return -1;
}

/** Returns true if the first code is an item. Nothing may be a parameter of a macro, except in the definition of one. */
function holdsItems(content: readonly string[]): boolean {
  const code = content.map((line) => line.trim()).filter((line) => !ABOVE_ITEM.test(line));
  const [first] = code;
  if (first === undefined || !ITEM.test(first)) return false;
  return first.startsWith('macro_rules!') || !code.some((line) => PLACEHOLDER.test(line));
}

function removeLastBrace(line: string): string {
  const at = line.lastIndexOf('}');
  return `${line.slice(0, at)} ${line.slice(at + 1)}`;
}
