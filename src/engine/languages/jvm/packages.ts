/**
 * The packages before a class, in its own declaration and in imports, and the names of threads: words that definitions
 * may have as well.
 */
export const PACKAGES =
  /\b(?:[a-z_]\w{0,60}\.){1,20}(?=[A-Z])|^[ \t]{0,24}(?:package|import(?: static)?) [a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){0,20}|\bthread "[^"\n]{1,60}"/gm;
