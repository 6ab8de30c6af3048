/** Packages of a repository that has several, and how users choose them. */
import { z } from 'zod';
import { badInput, type LocusError } from './errors.ts';
import { formatCount } from './format-count.ts';

export const packageInfo = z.object({
  /** Name in its manifest, else its folder's name; the folder's path if several packages have the same name. */
  name: z.string(),
  /** Path relative to the repository, '' for its root. */
  folder: z.string(),
  /** Number of chunks, without those of nested packages. */
  chunks: z.number(),
});
export type PackageInfo = z.output<typeof packageInfo>;

const MAX_SUGGESTED = 10;
/** Limits on the lengths of names (UTF-16 units) and their number, since comparing two names takes the product of their lengths. */
const MAX_COMPARED_LENGTH = 100;
const MAX_COMPARED = 2000;

/**
 * Resolves several packages, see `resolvePackage`.
 * @throws LocusError `bad-input` for an unknown package; it names known ones, the closest first
 */
export function resolvePackages(
  wanted: readonly string[],
  known: readonly Pick<PackageInfo, 'name' | 'folder'>[],
): Set<string> {
  return new Set(
    wanted.map((one) => {
      const name = resolvePackage(one, known);
      if (name === null) throw unknownPackageError(one, known);
      return name;
    }),
  );
}

/**
 * Returns the name of the package with this name or folder. The last part of a name is enough if no other name ends with it.
 * Null if there is no such package.
 */
export function resolvePackage(
  wanted: string,
  known: readonly Pick<PackageInfo, 'name' | 'folder'>[],
): string | null {
  const folder = wanted.replace(/^\.\//, '').replace(/\/$/, '');
  const exact =
    known.find(({ name }) => name === wanted) ?? known.find((one) => one.folder === folder);
  if (exact) return exact.name;
  const [match, another] = known.filter(({ name }) => name.endsWith(`/${wanted}`));
  return match && !another ? match.name : null;
}

export function unknownPackageError(
  wanted: string,
  known: readonly Pick<PackageInfo, 'name'>[],
): LocusError {
  const shown =
    wanted.length > MAX_COMPARED_LENGTH ? `${wanted.slice(0, MAX_COMPARED_LENGTH)}…` : wanted;
  if (known.length === 0) {
    return badInput(
      `The package ${shown} does not exist: the repository has at most one package.`,
      'Remove the package filter, or filter by path.',
    );
  }
  const names = [...new Set(known.slice(0, MAX_COMPARED).map(({ name }) => name))];
  const closest = names
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTED)
    .map(({ name }) => name);
  const more = names.length - closest.length;
  return badInput(
    `The package ${shown} does not exist.`,
    `Choose one of ${closest.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`,
  );
}

/**
 * Returns the Levenshtein distance between the beginnings of a typed name and a known one. It is below 1 if the known name
 * contains the typed one, such as `@scope/name` for `name`.
 */
function distance(typed: string, name: string): number {
  const [a, b] = [typed.slice(0, MAX_COMPARED_LENGTH), name.slice(0, MAX_COMPARED_LENGTH)];
  if (a !== '' && b.includes(a)) return (b.length - a.length) / MAX_COMPARED_LENGTH;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (character === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
