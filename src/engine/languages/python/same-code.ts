/**
 * Whether lines say the same in another layout, quotes included. Lines that only moved in or out, one for one, are an
 * edit: indentation is syntax.
 */
export function saysTheSame(before: readonly string[], after: readonly string[]): boolean {
  if (squashed(before) !== squashed(after)) return false;
  const reindented =
    before.length === after.length &&
    before.every((line, i) => line.trim() === after[i]?.trim()) &&
    before.some((line, i) => line.trimEnd() !== after[i]?.trimEnd());
  return !reindented;
}

function squashed(lines: readonly string[]): string {
  return lines
    .join('')
    .replace(/[\s()\\,]+/g, '')
    .replaceAll("'", '"');
}
