/** Formats text from repositories and issues as Markdown, so that nothing in it acts as markup. */
import { escapeHidden, escapeHiddenLines } from '../../shared/quote.ts';

/** Formats text as an inline code span. */
export function formatCodeSpan(text: string): string {
  const shown = escapeHidden(text);
  const longest = findLongestTicks(shown);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

function findLongestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Escapes every character that Markdown or HTML would interpret. `Code spans` in reasons stay. */
export function escapeMarkdown(text: string): string {
  return escapeHidden(text)
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 ? part : part.replace(/[\\`*_[\]<>|#~&]/g, '\\$&')))
    .join('');
}

/** Formats text as a block quote, line by line. @param show formats each line */
export const formatQuote = (
  text: string,
  show: (line: string) => string = escapeMarkdown,
): string[] =>
  escapeHiddenLines(text)
    .split('\n')
    .map((line) => `> ${show(line)}`);

/** Formats a code block whose fence is longer than any in the text. Returns its lines. */
export function formatCodeBlock(text: string, language: string): string[] {
  const shown = escapeHiddenLines(text).replace(/(?<!\n)\n+$/, '');
  const fence = '`'.repeat(Math.max(2, findLongestTicks(shown)) + 1);
  return [`${fence}${language}`, ...shown.split('\n'), fence];
}
