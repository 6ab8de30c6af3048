/**
 * Returns true if lines differ only in layout and quotes. If the same lines only have another indentation, they count as
 * edited, because indentation is syntax.
 */
export function isFormattingOnly(before: readonly string[], after: readonly string[]): boolean {
  if (normalize(before) !== normalize(after)) return false;
  const isReindented =
    before.length === after.length &&
    before.every((line, i) => line.trim() === after[i]?.trim()) &&
    before.some((line, i) => line.trimEnd() !== after[i]?.trimEnd());
  return !isReindented;
}

function normalize(lines: readonly string[]): string {
  return lines
    .join('')
    .replace(/[\s()\\,]+/g, '')
    .replaceAll("'", '"');
}
