/** A macro that makes a definition of its arguments: `TEST(Suite, name)`. */
const DEFINING_MACRO = /^[A-Z][A-Z0-9_]*\s*\(/;
/** Those whose second argument is the name, and the first what it is in. */
const OF_TWO_NAMES = /^(?:TYPED_)?TEST|_METHOD$/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const OPERATOR = /(?:^|::)\s*operator\b/;

/**
 * The parts of a name, template arguments left out: `ns::Box<T>::get` gives ns, Box, get. An operator's name is
 * `operator==` or, for a conversion, `operator bool`. Of what a macro defines it is the macro's first argument, or suite
 * and name of a test, class and name of a method of PHP, or the macro itself where no argument is a name.
 */
export function parts(written: string): string[] {
  if (DEFINING_MACRO.test(written)) return definedBy(written);
  const operator = OPERATOR.exec(written);
  if (!operator) return scopes(written);
  const symbol = written.slice(operator.index + operator[0].length).trimStart();
  return [...scopes(written.slice(0, operator.index)), `operator${operatorOf(symbol)}`];
}

function definedBy(written: string): string[] {
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

/** What follows the word `operator`, without parameters. */
function operatorOf(symbol: string): string {
  if (symbol.startsWith('(')) return '()';
  const [name = ''] = symbol.split('(', 1);
  const squeezed = name.trim().replace(/\s+/g, ' ');
  return /^[\p{L}_]/u.test(squeezed) ? ` ${squeezed}` : squeezed.replaceAll(' ', '');
}

function scopes(written: string): string[] {
  return withoutArguments(written)
    .split('::')
    .map((part) => part.trim().split(/\s+/).at(-1) ?? '')
    .filter((part) => part !== '' && part !== 'template');
}

/** Leaves out what is between angle brackets. */
function withoutArguments(written: string): string {
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
