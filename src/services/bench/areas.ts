/** Names the area of a repository that a fix belongs to: a package, or a folder below the root of the sources. */
import { dirname } from 'node:path/posix';
import type { PackageInfo } from '../../shared/packages.ts';

/** Share of the paths that a folder must hold to be the root of the sources. */
const ROOT_SHARE = 0.9;

/**
 * Returns the package in a folder that holds a file: the one with the longest folder. Null in the package of the repository itself,
 * and if there is at most one.
 */
export function findPackage(path: string, packages: readonly PackageInfo[]): string | null {
  if (packages.length < 2) return null;
  const around = packages.filter(({ folder }) => folder !== '' && path.startsWith(`${folder}/`));
  const [nearest] = around.toSorted((a, b) => b.folder.length - a.folder.length);
  return nearest?.name ?? null;
}

/** Returns the folder that holds nearly all paths, '' for that of the repository. */
export function findSourceRoot(paths: readonly string[]): string {
  let root = '';
  for (;;) {
    const below = paths.flatMap((path) => getFolderBelow(path, root) ?? []);
    const counts = Object.entries(Object.groupBy(below, (folder) => folder));
    const largest = counts.find(([, some]) => (some?.length ?? 0) >= ROOT_SHARE * paths.length);
    if (!largest) return root;
    root = largest[0];
  }
}

/** Returns the first folder below `root` on the way to a file, or below the repository's for a file elsewhere; the file's own if none. */
export function findFolderArea(path: string, root: string): string {
  const isInside = path.startsWith(`${root}/`);
  return getFolderBelow(path, isInside ? root : '') ?? dirname(path);
}

function getFolderBelow(path: string, root: string): string | null {
  const start = root === '' ? 0 : root.length + 1;
  if (root !== '' && !path.startsWith(`${root}/`)) return null;
  const end = path.indexOf('/', start);
  return end < 0 ? null : path.slice(0, end);
}

/** Returns the most frequent item, the first of equally frequent ones. */
export function findMostFrequent(items: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? '';
}
