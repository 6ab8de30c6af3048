/** Text of a repository or of an issue in Markdown, where it must act as nothing but text. */
import { visible, visibleLines } from '../../shared/quoted.ts';

export function code(text: string): string {
  const shown = visible(text);
  const longest = longestTicks(shown);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Text with every character that Markdown or HTML would act on escaped; `code spans` of reasons stay. */
export function plain(text: string): string {
  return visible(text)
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 ? part : part.replace(/[\\`*_[\]<>|#~&]/g, '\\$&')))
    .join('');
}

/** @param show how each line is written */
export const quote = (text: string, show: (line: string) => string = plain): string[] =>
  visibleLines(text)
    .split('\n')
    .map((line) => `> ${show(line)}`);

/** A code block whose fence is longer than any in it; as lines. */
export function fenced(text: string, language: string): string[] {
  const shown = visibleLines(text).replace(/(?<!\n)\n+$/, '');
  const fence = '`'.repeat(Math.max(2, longestTicks(shown)) + 1);
  return [`${fence}${language}`, ...shown.split('\n'), fence];
}
