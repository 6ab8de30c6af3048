/** Versions by the rules of semver.org. */

const VERSION =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;
const MAX_LENGTH = 60;

/** Returns true for a version such as `1.2.3` or `1.2.3-beta.1`. It consists of plain characters, so it can be shown as it is. */
export const isVersion = (text: string): boolean => text.length <= MAX_LENGTH && VERSION.test(text);

/** Returns a negative number if `a` is older than `b`, a positive one if it is newer, or else 0. Both must be versions. */
export function compareVersions(a: string, b: string): number {
  const [mine, theirs] = [parse(a), parse(b)];
  return (
    compareLists(mine.numbers, theirs.numbers) ||
    // A prerelease comes before its release.
    Number(mine.prerelease.length === 0) - Number(theirs.prerelease.length === 0) ||
    compareLists(mine.prerelease, theirs.prerelease)
  );
}

function parse(version: string): { numbers: string[]; prerelease: string[] } {
  const [, major = '', minor = '', patch = '', prerelease] = VERSION.exec(version) ?? [];
  return { numbers: [major, minor, patch], prerelease: prerelease?.split('.') ?? [] };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares numbers by value, and other parts by their characters. Numbers come first. */
function compareParts(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [a, b].map((part) => /^\d+$/.test(part));
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
