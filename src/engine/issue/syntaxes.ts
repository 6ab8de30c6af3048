import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { pythonIssues } from '../languages/python/issue.ts';

/** What issues have of each language that Locus reads. */
export const issueSyntaxes: readonly IssueSyntax[] = [pythonIssues];
