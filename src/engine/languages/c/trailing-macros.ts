/** Removes macros that annotate a function after its parameters: `bool full() const override EXCLUSIVE_LOCKS_REQUIRED(lock) {`. */
import { blankOut } from '../blank.ts';

/** Macros and keywords after parameters or alone on a row, and the position where they end. */
const TRAILING =
  /(?<=\)[ \t]{0,8}|^[ \t]{1,80})(?:(?:const|final|noexcept(?:\([^()]{0,80}\))?|override|volatile|&&?|[A-Z][A-Z0-9_]{2,80}\b(?:\((?:[^()]|\([^()]{0,80}\)){0,200}\))?)[ \t]{0,8}){1,6}(?=[{;]|=[ \t]{0,8}(?:0|default|delete)\b|:(?!:)|\r?$)/;
/** Macros among them, except in `noexcept(…)`. */
const MACRO =
  /\bnoexcept\([^()]{0,80}\)|\b[A-Z][A-Z0-9_]{2,80}\b(?:\((?:[^()]|\([^()]{0,80}\)){0,200}\))?/g;
const ENDS_PARAMETERS =
  /\)[ \t]{0,8}(?:(?:const|final|noexcept|override|volatile|&&?)[ \t]{0,8}){0,4}\r?$/;
/** Start of a row that continues a function's header. */
const CONTINUES_HEADER = /^[ \t]*(?:\{|:(?!:)|[A-Z][A-Z0-9_]{2,80}\b)/;
const STATEMENT = /^[ \t#}]*(?:case|define|do|else|for|if|return|switch|while)\b/;
/** Type and name before the parameters. */
const DECLARATION =
  /^[ \t]{0,80}[A-Za-z_[][\w:<>,*&[\] \t]{0,200}[ \t*&]~?(?!(?:for|if|switch|while)\b)[\w:~]{1,100}[ \t]{0,8}\(/;
/** Name of a constructor before its parameters, which is not a macro. */
const CONSTRUCTOR = /^[ \t]{0,80}(?![A-Z][A-Z0-9_]{2,80}[ \t]{0,8}\()~?[\w:~<>]{1,100}[ \t]{0,8}\(/;
/** Maximum number of rows of a header. Longer ones are left unchanged. */
const MAX_ROWS = 24;

/** Removes such macros from a line. The lines above must be prepared already. */
export function removeTrailingMacros(lines: readonly string[], row: number): string {
  const line = lines[row] ?? '';
  const found = TRAILING.exec(line);
  if (!found || !followsParameters(lines, row, found)) return line;
  const [trailing] = found;
  const rest = trailing.replace(MACRO, (macro) =>
    macro.startsWith('noexcept') ? macro : blankOut(macro),
  );
  return line.slice(0, found.index) + rest + line.slice(found.index + trailing.length);
}

/** Returns true if the words follow a function's parameters, and not a condition before the call of a macro. */
function followsParameters(
  lines: readonly string[],
  row: number,
  { 0: trailing, index }: RegExpExecArray,
): boolean {
  const line = lines[row] ?? '';
  let last = row;
  let before = line.slice(0, index);
  if (before.trim() === '') {
    do before = lines[--last] ?? '';
    while (before.trim() === '' && row - last < MAX_ROWS);
    if (!ENDS_PARAMETERS.test(before)) return false;
  }
  const head = findParametersStart(lines, last, before);
  if (STATEMENT.test(head)) return false;
  const end = line[index + trailing.length] ?? '';
  if (/[;=]/.test(end)) return DECLARATION.test(head);
  if (/^\r?$/.test(end) && !CONTINUES_HEADER.test(lines[row + 1] ?? '')) return false;
  return DECLARATION.test(head) || CONSTRUCTOR.test(head);
}

/** Returns the row where the parameters begin that end on row `last`. `text` is the part of that row that belongs to them. */
function findParametersStart(lines: readonly string[], last: number, text: string): string {
  let open = 0;
  let head = text;
  for (let row = last; row > last - MAX_ROWS; ) {
    for (const char of head) if (char === '(' || char === ')') open += char === ')' ? 1 : -1;
    if (open <= 0) break;
    head = lines[--row] ?? '';
  }
  return head;
}
