import { languages } from '../languages/index.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';

/**
 * How issues have the languages of these names, or all that Locus reads. Languages may share a syntax. Those of a
 * repository are to be asked for: what is a frame in one language is a sentence in another.
 */
export function issueSyntaxes(names?: ReadonlySet<string>): readonly IssueSyntax[] {
  const asked = Array.from(languages()).filter(({ name }) => !names || names.has(name));
  return [...new Set(asked.map(({ issue }) => issue))];
}

/** How issues have the language that an indexed file is in; undefined for one that is not known. */
export function issueSyntaxOf(language: string): IssueSyntax | undefined {
  return Array.from(languages()).find(({ name }) => name === language)?.issue;
}
