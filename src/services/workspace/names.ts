/** Names repositories of a workspace: by their folder, with more of the path if two would have the same name. */
import { basename, dirname, sep } from 'node:path';
import { assertPresent } from '../../shared/assert-present.ts';

/**
 * Returns a unique name without a slash for each folder: `requests`, or `fork~requests` and `upstream~requests` if two folders are
 * called `requests`, with as many parent folders as needed.
 * @param roots distinct absolute paths
 */
export function nameRepositories(roots: readonly string[]): string[] {
  const depths = roots.map(() => 0);
  for (;;) {
    const names = roots.map((root, i) =>
      formatName(root, assertPresent(depths[i], 'the depth of a root')),
    );
    const getFullName = (i: number) => splitPath(assertPresent(roots[i], 'a root')).join(sep);
    // Paths that only differ in a part that names omit stay equal at any depth.
    const alike = [...Map.groupBy(names.keys(), (i) => names[i]).values()]
      .filter((indexes) => new Set(indexes.map(getFullName)).size > 1)
      .flat();
    const deeper = alike.filter((i) => hasMore(assertPresent(roots[i], 'a root'), depths[i] ?? 0));
    if (deeper.length === 0) return names.map((name, i) => addNumber(name, names.slice(0, i)));
    for (const i of deeper) depths[i] = (depths[i] ?? 0) + 1;
  }
}

function formatName(root: string, depth: number): string {
  return (
    splitPath(root)
      .slice(-1 - depth)
      .join('~') || 'root'
  );
}

function hasMore(root: string, depth: number): boolean {
  return splitPath(root).length > depth + 1;
}

/** Splits a path. A bare clone `requests.git`, and the `.git` folder of a working tree, are named after the repository. */
function splitPath(root: string): string[] {
  const whole = basename(root) === '.git' ? dirname(root) : root.replace(/\.git$/, '');
  return whole.split(sep).filter(Boolean);
}

/** Adds a number to a name that is taken. */
function addNumber(name: string, before: readonly string[]): string {
  const same = before.filter((other) => other === name).length;
  return same === 0 ? name : `${name}~${same + 1}`;
}
