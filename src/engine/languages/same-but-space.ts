/** Whether lines say the same but for the white space in and around them, where that says nothing. */
export function sameButSpace(before: readonly string[], after: readonly string[]): boolean {
  return squashed(before) === squashed(after);
}

function squashed(lines: readonly string[]): string {
  return lines.join('').replace(/\s+/g, '');
}
