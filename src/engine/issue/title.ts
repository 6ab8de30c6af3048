import { leadingComments } from './template.ts';

const MAX_TITLE = 300;

/** Returns the first line with anything in it, without heading marks. Comments of a template before it do not count. */
export function getIssueTitle(text: string): string {
  const from = text.slice(leadingComments(text));
  const line = /\S[^\n]{0,2000}/.exec(from)?.[0] ?? '';
  return line
    .replace(/^#{1,6}[ \t]+/, '')
    .trim()
    .slice(0, MAX_TITLE);
}
