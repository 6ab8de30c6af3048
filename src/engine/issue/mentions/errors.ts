import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type Passage, spanOf } from '../passages.ts';

const MAX_ERRORS = 20;

/**
 * The different messages of exceptions and warnings, without their classes: their words are likely those of the line that
 * raises.
 */
export function findErrors(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): IssueSpan[] {
  const found = new Map<string, IssueSpan>();
  for (const passage of passages) {
    for (const match of syntaxes.flatMap(({ error }) => [...passage.text.matchAll(error)])) {
      if (found.size === MAX_ERRORS) break;
      const said = match.groups?.message ?? '';
      const start = match.index + match[0].length - said.length;
      const message = withinCode(said, passage.text, start).trimEnd();
      if (message === '') continue;
      if (!found.has(message)) {
        found.set(message, spanOf(passage, start, start + message.length));
      }
    }
  }
  return [...found.values()];
}

/** What a line says from here on, or up to the mark that ends the inline code which this is in. */
function withinCode(said: string, text: string, start: number): string {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const isInCode = line.split('`').length % 2 === 0;
  return isInCode ? (said.split('`', 1)[0] ?? '') : said;
}
