import { leadingComments } from './template.ts';

const MAX_TITLE = 300;

/**
 * The first line with anything in it, without Markdown heading marks. Comments of a template that come before it, which readers
 * do not see, are not it.
 */
export function titleOf(text: string): string {
  const from = text.slice(leadingComments(text));
  const line = /\S[^\n]{0,2000}/.exec(from)?.[0] ?? '';
  return line
    .replace(/^#{1,6}[ \t]+/, '')
    .trim()
    .slice(0, MAX_TITLE);
}
