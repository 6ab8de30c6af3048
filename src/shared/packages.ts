/** The packages of a repository that has several, and how they are chosen. */
import { z } from 'zod';
import { badInput, type LocusError } from './errors.ts';
import { grouped } from './grouped.ts';

export const packageInfo = z.object({
  /** Name in its manifest, else its folder; where several have the same name, the folder's path. */
  name: z.string(),
  /** Relative to the repository, '' for its root. */
  folder: z.string(),
  /** Number of chunks, without those of packages inside it. */
  chunks: z.number(),
});
export type PackageInfo = z.output<typeof packageInfo>;

const LISTED = 10;
/** UTF-16 units of a name that are compared, and names: how alike two are takes the product of their lengths. */
const COMPARED = 100;
const MOST_COMPARED = 2000;

/**
 * The names of the packages that are meant, see `packageMeant`.
 * @throws LocusError `bad-input` for one that there is not; it names the known ones, the closest first
 */
export function packagesMeant(
  wanted: readonly string[],
  known: readonly Pick<PackageInfo, 'name' | 'folder'>[],
): Set<string> {
  return new Set(
    wanted.map((one) => {
      const meant = packageMeant(one, known);
      if (meant === null) throw unknownPackage(one, known);
      return meant;
    }),
  );
}

/**
 * The name of the package that is meant by its name, by its folder, or by the last part of its name where no other ends so;
 * null for none.
 */
export function packageMeant(
  wanted: string,
  known: readonly Pick<PackageInfo, 'name' | 'folder'>[],
): string | null {
  const folder = wanted.replace(/^\.\//, '').replace(/\/$/, '');
  const exact =
    known.find(({ name }) => name === wanted) ?? known.find((one) => one.folder === folder);
  if (exact) return exact.name;
  const [alike, another] = known.filter(({ name }) => name.endsWith(`/${wanted}`));
  return alike && !another ? alike.name : null;
}

export function unknownPackage(
  wanted: string,
  known: readonly Pick<PackageInfo, 'name'>[],
): LocusError {
  const shown = wanted.length > COMPARED ? `${wanted.slice(0, COMPARED)}…` : wanted;
  if (known.length === 0) {
    return badInput(
      `no package is called ${shown}: the repository has not more than one`,
      'leave out the filter by package, or give paths',
    );
  }
  const names = [...new Set(known.slice(0, MOST_COMPARED).map(({ name }) => name))];
  const closest = names
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, LISTED)
    .map(({ name }) => name);
  const more = names.length - closest.length;
  return badInput(
    `no package is called ${shown}`,
    `choose of ${closest.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`,
  );
}

/**
 * How far a name is from what was typed: by Levenshtein, over the beginnings of both; nothing is added for what stands around
 * a part that was typed, as the scope in `@scope/name`.
 */
function distance(typed: string, name: string): number {
  const [a, b] = [typed.slice(0, COMPARED), name.slice(0, COMPARED)];
  if (a !== '' && b.includes(a)) return (b.length - a.length) / COMPARED;
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
