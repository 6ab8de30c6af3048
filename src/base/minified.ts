const MAX_SOURCE_LINE = 2000;
/** Share of the text in long lines from which it counts as minified. A source with one long literal has less. */
const MIN_MINIFIED_SHARE = 0.8;

/** Returns true if most of a text is in lines of more than 2,000 UTF-16 units, as in bundles and data. Pure. */
export function isMinified(text: string): boolean {
  if (text.length <= MAX_SOURCE_LINE) return false;
  let long = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > MAX_SOURCE_LINE) long += end - start;
    start = end + 1;
  }
  return long > MIN_MINIFIED_SHARE * text.length;
}
