/** Returns true if lines differ only in white space, for languages in which it has no meaning. */
export function isSameExceptSpace(before: readonly string[], after: readonly string[]): boolean {
  return removeSpace(before) === removeSpace(after);
}

function removeSpace(lines: readonly string[]): string {
  return lines.join('').replace(/\s+/g, '');
}
