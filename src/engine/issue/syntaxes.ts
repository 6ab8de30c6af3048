import { languages } from '../languages/index.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';

/** What issues have of each language that Locus reads; languages may share it. */
export function issueSyntaxes(): readonly IssueSyntax[] {
  return [...new Set(Array.from(languages(), ({ issue }) => issue))];
}
