/**
 * Prepares C and C++ for their grammars. These accept directives only where a declaration or statement can be, and only macros
 * that look like types and calls. All other directives and macros become white space, so that the code around them parses.
 */
import { blankOut } from '../blank.ts';
import { findTornLines } from '../conditionals.ts';
import { rewriteSystemCalls } from './defining-macros.ts';
import { removeTrailingMacros } from './trailing-macros.ts';

const DIRECTIVE = /^[ \t]*#/;
const CONDITION = /^[ \t]*#[ \t]*(?:el)?if\b/;
const NO_CONDITION = /["<]|__has_/;
const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;
/** Matches `public slots:`. */
const SLOTS = /^([ \t]*(?:private|protected|public)[ \t]{1,8})(Q_SLOTS|slots)(?=[ \t]{0,8}:)/;
/** Matches `signals:`. */
const SIGNALS = /^([ \t]*)(Q_SIGNALS|signals)(?=[ \t]{0,8}:(?!:))/;
/** Matches any line that may contain something to remove. */
const CAPITALS = /[A-Z][A-Z0-9_]{2}|(?:\.|->)template\b/;

/** Patterns of modifiers, which are group 1; `$` is the end of a line. */
const MODIFIERS: readonly RegExp[] = [
  // class SHOP_API Cart {
  /(?<=\b(?:class|struct|union)[ \t]{1,8})([A-Z][A-Z0-9_]{1,80}(?:\([^()]{0,80}\))?)(?=[ \t]{1,8}\w{1,80}(?:[ \t]{1,8}final)?[ \t]{0,8}(?:[{:]|$))/g,
  // SHOP_INLINE void f
  /\b([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}(?:auto|bool|char|class|constexpr|double|enum|explicit|extern|float|friend|inline|int|long|short|signed|static|struct|template|typename|union|unsigned|virtual|void)\b|[ \t]{1,8}const[ \t]{1,8}\w{1,80}[ \t*&]{1,8}\w)/g,
  // int SHOP_CALL f(
  /(?<=(?:\b(?:bool|char|double|float|int|long|short|unsigned|void)[ \t]{1,8}|\*[ \t]{0,8}))([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}\w{1,80}[ \t]{0,8}\()/g,
  // SHOP_TESTED Result f(
  /^[ \t]{0,40}(?:(?:static|friend)[ \t]{1,8})?([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}[A-Za-z_][\w:]{0,80}[ \t*&]{1,8}(?:\w{1,80}[ \t]{0,8}\(|operator\b))/g,
  // SHOP_TESTED Result, and f( on the next line
  /^(?:static[ \t]{1,8})?([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}[A-Za-z_]\w{0,80}(?:[ \t*]{1,8}\w{0,80}){0,2}$)/g,
  // SHOP_DEPRECATED("use g") void f
  /\b([A-Z][A-Z0-9_]{0,40}(?:ALIGN|ATTR|DEPREC|DISCARD|EXPORT|FORMAT|INLINE|NONNULL|NON_NULL|NORETURN|NO_SANITIZE|NOTHROW|PRINTF|PURE|SUPPRESS|UNUSED|WARNING)[A-Z0-9_]{0,40}\b(?:\((?:[^()]|\([^()]{0,80}\)){0,200}\)|(?!\()))(?=[ \t]{0,8}(?:$|[A-Za-z_]))/g,
  // SHOP_TRY {
  /^[ \t]{1,80}([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}\{\r?$)/g,
  // cart.template get<T>()
  /(?<=\.|->)(template)(?=[ \t])/g,
  // f() SHOP_NOTHROW {
  /(?<=\)[ \t]{0,8}(?:const[ \t]{1,8})?)([A-Z][A-Z0-9_]{2,80}(?:\([^()]{0,80}\))?)(?=[ \t]{0,8}\{)/g,
];
/** Matches `SHOP_INLINE Cart(int size) : size(size)`. Without the initializer, it would be a function with the type SHOP_INLINE. */
const CONSTRUCTOR = /^[ \t]{0,80}([A-Z][A-Z0-9_]{2,80})(?=[ \t]{1,8}\w{1,80}\()/;
const BEGINS_MEMBERS = /\)[ \t]{0,8}(?:noexcept[ \t]{0,8})?:(?!:)/;
const ENDS_PARAMETERS = /\)[ \t]{0,8}(?:noexcept[ \t]{0,8})?\r?$/;
/** Matches `SHOP_BEGIN_NAMESPACE` alone on a line between declarations, which is not the type of a function on the next line. */
const ALONE = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]*(?::(?!:))?[ \t\r]*$/;
const FUNCTION = /^[\w:~]{1,200}[ \t]{0,8}\(/;
const ENDS_DECLARATION = /(?:[;{}:/]|^[ \t]*(?:#.*)?)\r?$/;

/** Replaces macros that are only modifiers, and conditional lines that split constructs, by white space. */
export function prepare(text: string): string {
  const lines = text.split('\n').map(removeQtWords);
  const blankedRows = text.includes('#') ? findTornLines(lines) : new Set<number>();
  let inDirective = false;
  for (const [row, line] of lines.entries()) {
    if (blankedRows.has(row)) lines[row] = blankOut(line);
    const isDirective: boolean = inDirective || DIRECTIVE.test(line);
    inDirective = isDirective && /\\\r?$/.test(line);
    if (blankedRows.has(row)) continue;
    if (isDirective) lines[row] = simplifyDirective(line, inDirective);
    else if (CAPITALS.test(line)) {
      if (isAlone(lines, row)) lines[row] = blankOut(line);
      else lines[row] = removeModifiers(removeTrailingMacros(lines, row), lines[row + 1] ?? '');
    }
  }
  return rewriteSystemCalls(lines.join('\n'));
}

/** Replaces Qt's words for sections of a class by those that the compiler sees. */
function removeQtWords(line: string): string {
  return line
    .replace(SLOTS, (_, access: string, slots: string) => access + blankOut(slots))
    .replace(
      SIGNALS,
      (_, indent: string, signals: string) => indent + 'public'.padEnd(signals.length),
    );
}

/** Replaces a condition that the grammar does not support by 1, and blanks comments in multi-line macros, which would end them. */
function simplifyDirective(line: string, isContinued: boolean): string {
  const head = CONDITION.exec(line)?.[0];
  if (head !== undefined && NO_CONDITION.test(line)) {
    const rest = blankOut(line.slice(head.length));
    return `${head}${rest.slice(0, 1)}1${rest.slice(2)}`;
  }
  if (!isContinued) return line;
  return line.replace(COMMENT, (comment) => (comment.endsWith('*/') ? blankOut(comment) : comment));
}

function isAlone(lines: readonly string[], row: number): boolean {
  return (
    ALONE.test(lines[row] ?? '') &&
    ENDS_DECLARATION.test((lines[row - 1] ?? '').trimEnd()) &&
    !FUNCTION.test(lines[row + 1] ?? '')
  );
}

function removeModifiers(line: string, next: string): string {
  let rest = line;
  const isConstructor =
    BEGINS_MEMBERS.test(line) || (ENDS_PARAMETERS.test(line) && /^[ \t]*:(?!:)/.test(next));
  for (const pattern of isConstructor ? [CONSTRUCTOR, ...MODIFIERS] : MODIFIERS)
    rest = rest.replace(pattern, (whole: string, macro: string) => {
      const at = whole.length - macro.length;
      return whole.slice(0, at) + blankOut(macro);
    });
  return rest;
}
