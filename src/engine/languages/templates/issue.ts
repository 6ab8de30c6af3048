import type { IssueSyntax } from '../issue-syntax.ts';
import { createTaggedIssueSyntax } from '../tagged/issue.ts';
import type { LanguageRow } from '../tagged/row.ts';
import { readWords } from '../words.ts';

/** Creates the syntax of issues about templates: locations in them, as in `File "cart.html", line 3`. */
export function createTemplateIssues(row: LanguageRow): IssueSyntax {
  return createTaggedIssueSyntax(row, readWords(new URL('./', import.meta.url), 'keywords.txt'));
}
