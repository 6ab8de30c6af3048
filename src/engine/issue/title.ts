import { getLeadingCommentsEnd } from './template.ts';

const MAX_TITLE = 300;

/** Returns the first line that is not blank, without heading marks. Skips comments of a template before it. */
export function getIssueTitle(text: string): string {
  const from = text.slice(getLeadingCommentsEnd(text));
  const line = /\S[^\n]{0,2000}/.exec(from)?.[0] ?? '';
  return line
    .replace(/^#{1,6}[ \t]+/, '')
    .trim()
    .slice(0, MAX_TITLE);
}
