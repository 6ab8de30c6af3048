/** Whether lines say the same in another layout: quotes, semicolons, commas and parentheses are a formatter's. */
export function saysTheSame(before: readonly string[], after: readonly string[]): boolean {
  return squashed(before) === squashed(after);
}

function squashed(lines: readonly string[]): string {
  return lines
    .join('')
    .replace(/[\s();,]+/g, '')
    .replace(/['`]/g, '"');
}
