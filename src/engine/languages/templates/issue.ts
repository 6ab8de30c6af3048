import type { IssueSyntax } from '../issue-syntax.ts';
import { createTaggedIssueSyntax } from '../tagged/issue.ts';
import type { LanguageRow } from '../tagged/row.ts';
import { readWords } from '../words.ts';

/** Locations as Django and Twig print them: `In template a/b.html, error at line 3`, `in "a/b.html.twig" at line 3`. */
const AT_LINE =
  /(?<![\w./\\-])(?<path>(?:[A-Za-z]:)?[\w./\\@+-]{0,400}\.(?:html?|jinja2?|j2|twig|erb|blade\.php))["']?,? (?:error )?at line (?<line>\d{1,7})(?!\d)/g;

/** Creates the syntax of issues about templates: locations in them. */
export function createTemplateIssues(row: LanguageRow): IssueSyntax {
  const keywords = readWords(new URL('./', import.meta.url), 'keywords.txt');
  const syntax = createTaggedIssueSyntax(row, keywords);
  return { ...syntax, frames: [...syntax.frames, AT_LINE] };
}
