/** Finds the part of the split that a repository belongs to. All models use the same split (docs/reference/training.md). */
import excluded from '../mining/excluded-repositories.json' with { type: 'json' };
import split from './split.json' with { type: 'json' };

export type Part = 'train' | 'tune' | 'test' | 'never';

const { why: _, 'held out for development': heldOut, ...never } = excluded;

/** Families listed in each part. All other repositories are for training. */
export const LISTED: Readonly<Record<Exclude<Part, 'train'>, readonly string[]>> = {
  never: Object.values(never).flat(),
  tune: [...heldOut, ...split.tune],
  test: split.test,
};

const names = new Map(
  Object.entries(split.names).flatMap(([family, others]) =>
    others.map((other) => [other.toLowerCase(), family.toLowerCase()]),
  ),
);
const apart = new Set(split.apart.map((name) => name.toLowerCase()));
const families = new Map<string, Part>();
const lastParts = new Map<string, Part>();
for (const part of ['never', 'tune', 'test'] as const) {
  for (const repository of LISTED[part]) {
    families.set(familyOf(repository), part);
    lastParts.set(lastPart(familyOf(repository)), part);
  }
}

/** Returns the name of a repository's family: renames, forks and copies share one. Accepts `owner/name` or `owner+name`, in any case. */
export function familyOf(repository: string): string {
  const name = repository.replace('+', '/').toLowerCase();
  return names.get(name) ?? name;
}

/** Returns the part of a repository. One that shares the last part of its name with a listed one is in the same part. */
export function partOf(repository: string): Part {
  const family = familyOf(repository);
  const listed = families.get(family);
  if (listed) return listed;
  return (apart.has(family) ? undefined : lastParts.get(lastPart(family))) ?? 'train';
}

/** Returns the repositories that are not in the allowed parts, each with its part. */
export function breaches(
  repositories: readonly string[],
  ...parts: readonly [Part, ...Part[]]
): string[] {
  return repositories
    .filter((repository) => !parts.includes(partOf(repository)))
    .map((repository) => `${repository} (${partOf(repository)})`);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
