/** Returns true if lines differ only in layout, quotes, semicolons, commas and parentheses, which formatters change. */
export function isFormattingOnly(before: readonly string[], after: readonly string[]): boolean {
  return normalize(before) === normalize(after);
}

function normalize(lines: readonly string[]): string {
  return lines
    .join('')
    .replace(/[\s();,]+/g, '')
    .replace(/['`]/g, '"');
}
