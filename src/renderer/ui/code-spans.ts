import { visible } from '../../shared/quoted.ts';

/** A part of a sentence: words, or code. */
export interface SentencePart {
  text: string;
  isCode: boolean;
}

/** The parts of a sentence whose code stands between backquotes. One that is not closed is a character like others. */
export function partsOf(sentence: string): SentencePart[] {
  return sentence
    .split(/`([^`]*)`/)
    .map((text, at) => ({ text, isCode: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** Text of a repository as a Markdown code span, in which nothing acts. */
export function code(text: string): string {
  return `\`${visible(text.slice(0, 500)).replaceAll('`', 'ˋ')}\``;
}
