import { escapeHidden } from '../../shared/quote.ts';

/** A part of a sentence: plain text or code. */
export interface SentencePart {
  text: string;
  isCode: boolean;
}

/** Splits a sentence into plain text and code between backquotes. An unclosed backquote is an ordinary character. */
export function splitSentence(sentence: string): SentencePart[] {
  return sentence
    .split(/`([^`]*)`/)
    .map((text, at) => ({ text, isCode: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

/** Formats text from a repository as a Markdown code span, in which no other Markdown takes effect. */
export function toCodeSpan(text: string): string {
  return `\`${escapeHidden(text.slice(0, 500)).replaceAll('`', 'ˋ')}\``;
}
