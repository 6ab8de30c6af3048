import { languages } from '../languages/index.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';

/** What issues have of each language that Locus reads. */
export function issueSyntaxes(): readonly IssueSyntax[] {
  // Languages of one family share theirs.
  return [...new Set(Array.from(languages(), ({ issue }) => issue))];
}
