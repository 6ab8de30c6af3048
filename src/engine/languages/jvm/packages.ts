/** Packages in qualified names, declarations and imports, and names of threads. Definitions may have the same names. */
export const PACKAGES =
  /\b(?:[a-z_]\w{0,60}\.){1,20}(?=[A-Z])|^[ \t]{0,24}(?:package|import(?: static)?) [a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){0,20}|\bthread "[^"\n]{1,60}"/gm;
