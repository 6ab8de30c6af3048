/** Tells identifiers from other words by how they are written. */
import type { IssueSyntax } from '../../languages/issue-syntax.ts';

/** End of a sentence, or beginning of a comment. */
const SENTENCE_END = /(?:[.!?:;]["')\]*_]{0,3}|\/\/)$/;
const BULLET = /^[-*#>\d.]{1,6}$/;
/** Emphasis, brackets and quotation marks that a sentence may begin with. */
const OPENING = /(?<![*_([{"'“‘])[*_([{"'“‘]{1,6}$/;
/** `file(s)` and `class(es)`, which are not calls. */
const PLURAL = /^\((?:s|es|ies)\)/;
/** UTF-16 units before a word that are examined. */
const MAX_BEFORE = 24;

export function isCalledOrQuoted(text: string, start: number, end: number): boolean {
  const [before, after] = [text[start - 1], text[end]];
  return isCalled(text, end) || (before === after && (before === "'" || before === '"'));
}

export function isCalled(text: string, end: number): boolean {
  return text[end] === '(' && !PLURAL.test(text.slice(end, end + 5));
}

/** Returns true for a word in an identifier's form, or a capitalized word within a sentence. */
export function isIdentifierLike(
  word: string,
  text: string,
  start: number,
  syntaxes: readonly IssueSyntax[],
): boolean {
  if (hasIdentifierForm(word, syntaxes)) return true;
  if (!/^\p{Lu}/u.test(word)) return false;
  return !isSentenceStart(text.slice(Math.max(0, start - MAX_BEFORE), start));
}

/** Returns true for a word that cannot be an English word: `snake_case`, `camelCase`, a language's special names. */
export function hasIdentifierForm(word: string, syntaxes: readonly IssueSyntax[]): boolean {
  if (/[^_]_+[^_]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return true;
  return syntaxes.some(({ specialName }) => specialName.test(word));
}

/** Returns true if a sentence, a line or a list item begins after this text. */
function isSentenceStart(whole: string): boolean {
  const before = whole.replace(OPENING, '');
  const trimmed = before.trimEnd();
  const space = before.slice(trimmed.length);
  if (trimmed === '' || space.includes('\n')) return true;
  if (space === '') return false;
  const newline = trimmed.lastIndexOf('\n');
  return (
    SENTENCE_END.test(trimmed) ||
    (newline >= 0 && BULLET.test(trimmed.slice(newline + 1).trimStart()))
  );
}
