/**
 * Text of a repository, an issue or a model among Locus' own words. Its lines begin with a mark, and names in a sentence
 * are between backquotes. Neither can be ended from within, so that a reader can tell who says what.
 */
import { visible, visibleLines } from './visible.ts';

/** Begins each line of quoted text; no line of Locus' own begins with it. */
const LINE_MARK = '|';

/** Quotes text within a sentence: one line between backquotes, a backquote in it written as `\x60`. */
export function quoted(text: string): string {
  return `\`${visible(text).replaceAll('`', '\\x60')}\``;
}

/** Letters and digits of any script, and the signs that names and paths are made of. */
const PLAIN_WORD = /^[\p{L}\p{N}_./\\@#$<[({~…][\p{L}\p{M}\p{N}\w./\\@#$%+=~*<>()[\]{}^!?&,:…-]*$/u;

/** Shows a name to a person: as it is where it is one plain word, quoted where it could pass for more. */
export function named(text: string): string {
  const shown = visible(text);
  // With a colon at its end it could pass for a label.
  return PLAIN_WORD.test(shown) && !shown.endsWith(':') ? shown : quoted(text);
}

/** Quotes a text line by line, each behind the mark. */
export function quotedLines(text: string): string[] {
  return visibleLines(text)
    .split('\n')
    .map((line) => (line === '' ? LINE_MARK : `${LINE_MARK} ${line}`));
}

/** Ends a sentence that is cut after `part`: an ellipsis takes the place of its end, and an open quotation is closed. */
export function endCut(part: string): string {
  const shorter = withoutLast(part);
  if (!endsInQuotation(shorter)) return `${shorter}…`;
  const inside = withoutLast(shorter);
  return endsInQuotation(inside) ? `${inside}…\`` : `${inside}…`;
}

const withoutLast = (text: string) => text.replace(/.$/su, '');

const endsInQuotation = (text: string) => text.split('`').length % 2 === 0;
