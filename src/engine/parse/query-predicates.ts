import type { QueryExpression } from '../languages/query-source.ts';

/** Condition on the texts of a match's captures. */
export type Predicate = (getTexts: (capture: number) => string[]) => boolean;

/**
 * Creates a condition from an expression such as `(#eq? @name "new")`. As in tree-sitter, a capture may have several nodes.
 * @param getCapture returns the number of a capture
 * @throws Error for an unknown condition
 */
export function createPredicate(
  [operator, subject, ...operands]: readonly QueryExpression[],
  getCapture: (name: string) => number,
): Predicate {
  const name = getText(operator).slice(1);
  const capture = getCapture(getText(subject).slice(1));
  const texts = operands.map(getText);
  const isNegated = name.startsWith('not-');
  switch (name) {
    case 'eq?':
    case 'not-eq?':
      return (getTexts) => getTexts(capture).every((text) => (text === texts[0]) !== isNegated);
    case 'match?':
    case 'not-match?': {
      const pattern = new RegExp(texts[0] ?? '');
      return (getTexts) => {
        const found = getTexts(capture);
        return found.length === 0
          ? isNegated
          : found.every((text) => pattern.test(text) !== isNegated);
      };
    }
    case 'any-of?':
    case 'not-any-of?':
      return (getTexts) => {
        const found = getTexts(capture);
        return found.length === 0
          ? isNegated
          : found.every((text) => texts.includes(text)) !== isNegated;
      };
    default:
      throw new Error(`The query has an unknown predicate ${name}`);
  }
}

function getText(expression: QueryExpression | undefined): string {
  return expression && 'text' in expression ? expression.text : '';
}
