/** Macro that defines something named by its arguments: `TEST(Suite, name)`. */
const DEFINING_MACRO = /^[A-Z][A-Z0-9_]*\s*\(/;
/** Macros whose first argument is the scope and whose second argument is the name. */
const OF_TWO_NAMES = /^(?:TYPED_)?TEST|_METHOD$/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const OPERATOR = /(?:^|::)\s*operator\b/;

/**
 * Splits a name without its template arguments: `ns::Box<T>::get` gives ns, Box, get. An operator's name is `operator==` or,
 * for a conversion, `operator bool`. The name of a macro's definition is the macro's first argument; suite and name of a test;
 * class and name of a PHP method; or the macro itself if no argument is a name.
 */
export function splitName(written: string): string[] {
  if (DEFINING_MACRO.test(written)) return getDefinedName(written);
  const operator = OPERATOR.exec(written);
  if (!operator) return splitScopes(written);
  const symbol = written.slice(operator.index + operator[0].length).trimStart();
  return [...splitScopes(written.slice(0, operator.index)), `operator${formatOperator(symbol)}`];
}

function getDefinedName(written: string): string[] {
  const open = written.indexOf('(');
  const macro = written.slice(0, open).trim();
  const names = written
    .slice(open + 1, -1)
    .split(',')
    .map((argument) => argument.trim())
    .filter((argument) => NAME.test(argument));
  if (names.length === 0) return [macro];
  return OF_TWO_NAMES.test(macro) ? names.slice(0, 2) : names.slice(0, 1);
}

/** Normalizes the text after the word `operator`, without parameters. */
function formatOperator(symbol: string): string {
  if (symbol.startsWith('(')) return '()';
  const [name = ''] = symbol.split('(', 1);
  const squeezed = name.trim().replace(/\s+/g, ' ');
  return /^[\p{L}_]/u.test(squeezed) ? ` ${squeezed}` : squeezed.replaceAll(' ', '');
}

function splitScopes(written: string): string[] {
  return removeArguments(written)
    .split('::')
    .map((part) => part.trim().split(/\s+/).at(-1) ?? '')
    .filter((part) => part !== '' && part !== 'template');
}

/** Removes text in angle brackets. */
function removeArguments(written: string): string {
  if (!written.includes('<')) return written;
  let depth = 0;
  let rest = '';
  for (const char of written) {
    if (char === '<') depth++;
    else if (char === '>') depth = Math.max(0, depth - 1);
    else if (depth === 0) rest += char;
  }
  return rest;
}
