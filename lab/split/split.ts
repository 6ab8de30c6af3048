/** Finds the part of the split that a repository belongs to. All models use the same split (docs/reference/training.md). */
import excluded from '../mining/excluded-repositories.json' with { type: 'json' };
import split from './split.json' with { type: 'json' };

export type SplitPart = 'train' | 'tune' | 'test' | 'never';

const { why: _, 'held out for development': heldOut, ...never } = excluded;

/** Families listed in each part. All other repositories are for training. */
export const LISTED: Readonly<Record<Exclude<SplitPart, 'train'>, readonly string[]>> = {
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
const families = new Map<string, SplitPart>();
const lastParts = new Map<string, SplitPart>();
for (const part of ['never', 'tune', 'test'] as const) {
  for (const repository of LISTED[part]) {
    families.set(getFamily(repository), part);
    lastParts.set(lastPart(getFamily(repository)), part);
  }
}

/** Returns the name of a repository's family: renames, forks and copies share one. Accepts `owner/name` or `owner+name`, in any case. */
export function getFamily(repository: string): string {
  const name = repository.replace('+', '/').toLowerCase();
  return names.get(name) ?? name;
}

/** Returns the part of a repository. One that shares the last part of its name with a listed one is in the same part. */
export function getPart(repository: string): SplitPart {
  const family = getFamily(repository);
  const listed = families.get(family);
  if (listed) return listed;
  return (apart.has(family) ? undefined : lastParts.get(lastPart(family))) ?? 'train';
}

/** Returns the repositories that are not in the allowed parts, each with its part. */
export function findBreaches(
  repositories: readonly string[],
  ...parts: readonly [SplitPart, ...SplitPart[]]
): string[] {
  return repositories
    .filter((repository) => !parts.includes(getPart(repository)))
    .map((repository) => `${repository} (${getPart(repository)})`);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
