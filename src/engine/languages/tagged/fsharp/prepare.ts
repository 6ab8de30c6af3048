import { blankOut } from '../../blank.ts';

const DIRECTIVE = /^[ \t]*#(?:if|else|endif)\b[^\n]*/gm;

/** Returns a text without directives, which may be in the middle of a function, so that the code of all branches is read. */
export function prepareFSharp(text: string): string {
  return text.replace(DIRECTIVE, blankOut);
}
