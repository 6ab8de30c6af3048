import { blankOut } from '../../blank.ts';

const DIRECTIVE = /^\s*(?:ifn?eq|ifn?def|else|endif)\b/;
const NOTHING = /^\s*(?:#|$)/;
const RULE = /^[^#=]*:(?!:{0,2}=)/;

/**
 * Returns a text that the grammar can parse: without directives, so that the rules of all branches are read, and without functions of
 * Make in recipes, most of which it does not know there. A tab elsewhere does not begin a recipe.
 */
export function prepareMake(text: string): string {
  let isBelowRule = false;
  let isContinued = false;
  let inRecipe = false;
  const prepareRow = (row: string): string => {
    const begins = !isContinued;
    isContinued = /\\\r?$/.test(row);
    if (begins) inRecipe = isBelowRule && row.startsWith('\t');
    if (inRecipe) return row.replaceAll('$', '_');
    if (!begins) return row;
    if (DIRECTIVE.test(row)) return blankOut(row);
    if (!NOTHING.test(row)) isBelowRule = RULE.test(row);
    return row.replace(/^\t+/, blankOut);
  };
  return text.split('\n').map(prepareRow).join('\n');
}
