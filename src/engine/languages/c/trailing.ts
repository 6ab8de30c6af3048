/** Macros that annotate a function behind its parameters: `bool full() const override EXCLUSIVE_LOCKS_REQUIRED(lock) {`. */
import { blank } from '../blank.ts';

/** Macros and the language's own words behind parameters, or on a row of their own, up to what they end before. */
const TRAILING =
  /(?<=\)[ \t]{0,8}|^[ \t]{1,80})(?:(?:const|final|noexcept(?:\([^()]{0,80}\))?|override|volatile|&&?|[A-Z][A-Z0-9_]{2,80}\b(?:\((?:[^()]|\([^()]{0,80}\)){0,200}\))?)[ \t]{0,8}){1,6}(?=[{;]|=[ \t]{0,8}(?:0|default|delete)\b|:(?!:)|\r?$)/;
/** Macros among these; that of `noexcept(…)` stays. */
const MACRO =
  /\bnoexcept\([^()]{0,80}\)|\b[A-Z][A-Z0-9_]{2,80}\b(?:\((?:[^()]|\([^()]{0,80}\)){0,200}\))?/g;
const ENDS_PARAMETERS =
  /\)[ \t]{0,8}(?:(?:const|final|noexcept|override|volatile|&&?)[ \t]{0,8}){0,4}\r?$/;
/** What a row goes on with below a function's header. */
const GOES_ON = /^[ \t]*(?:\{|:(?!:)|[A-Z][A-Z0-9_]{2,80}\b)/;
const STATEMENT = /^[ \t#}]*(?:case|define|do|else|for|if|return|switch|while)\b/;
/** A type and a name before the parameters. */
const DECLARATION =
  /^[ \t]{0,80}[A-Za-z_[][\w:<>,*&[\] \t]{0,200}[ \t*&]~?(?!(?:for|if|switch|while)\b)[\w:~]{1,100}[ \t]{0,8}\(/;
/** The name of a constructor before its parameters, which is none of a macro. */
const CONSTRUCTOR = /^[ \t]{0,80}(?![A-Z][A-Z0-9_]{2,80}[ \t]{0,8}\()~?[\w:~<>]{1,100}[ \t]{0,8}\(/;
/** Headers of more rows than this are left as they are. */
const MOST_ROWS = 24;

/** The line without such macros. What stands above it is prepared already. */
export function withoutTrailingMacros(lines: readonly string[], row: number): string {
  const line = lines[row] ?? '';
  const found = TRAILING.exec(line);
  if (!found || !isOfFunction(lines, row, found)) return line;
  const [trailing] = found;
  const rest = trailing.replace(MACRO, (macro) =>
    macro.startsWith('noexcept') ? macro : blank(macro),
  );
  return line.slice(0, found.index) + rest + line.slice(found.index + trailing.length);
}

/** Whether it is a function that words trail, and no condition before a macro that is called. */
function isOfFunction(
  lines: readonly string[],
  row: number,
  { 0: trailing, index }: RegExpExecArray,
): boolean {
  const line = lines[row] ?? '';
  let last = row;
  let before = line.slice(0, index);
  if (before.trim() === '') {
    do before = lines[--last] ?? '';
    while (before.trim() === '' && row - last < MOST_ROWS);
    if (!ENDS_PARAMETERS.test(before)) return false;
  }
  const head = headOf(lines, last, before);
  if (STATEMENT.test(head)) return false;
  const end = line[index + trailing.length] ?? '';
  if (/[;=]/.test(end)) return DECLARATION.test(head);
  if (/^\r?$/.test(end) && !GOES_ON.test(lines[row + 1] ?? '')) return false;
  return DECLARATION.test(head) || CONSTRUCTOR.test(head);
}

/** The row on which the parameters begin that end on row `last`, of which `text` is what belongs to them. */
function headOf(lines: readonly string[], last: number, text: string): string {
  let open = 0;
  let head = text;
  for (let row = last; row > last - MOST_ROWS; ) {
    for (const char of head) if (char === '(' || char === ')') open += char === ')' ? 1 : -1;
    if (open <= 0) break;
    head = lines[--row] ?? '';
  }
  return head;
}
