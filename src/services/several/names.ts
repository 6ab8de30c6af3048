/** What repositories are called among others: the name of the folder, told apart where two have the same. */
import { basename, dirname, sep } from 'node:path';
import { present } from '../../shared/present.ts';

/**
 * A name for each folder, all different, without a slash: `requests`, and where there are two of them `fork~requests` and
 * `upstream~requests`, with as many folders above as it takes.
 * @param roots whole paths, each once
 */
export function namesOf(roots: readonly string[]): string[] {
  const depths = roots.map(() => 0);
  for (;;) {
    const names = roots.map((root, i) => nameOf(root, present(depths[i], 'the depth of a root')));
    const wholeOf = (i: number) => partsOf(present(roots[i], 'a root')).join(sep);
    // No folder above tells those apart that are the same throughout.
    const alike = [...Map.groupBy(names.keys(), (i) => names[i]).values()]
      .filter((of) => new Set(of.map(wholeOf)).size > 1)
      .flat();
    const deeper = alike.filter((i) => hasMore(present(roots[i], 'a root'), depths[i] ?? 0));
    if (deeper.length === 0) return names.map((name, i) => numbered(name, names.slice(0, i)));
    for (const i of deeper) depths[i] = (depths[i] ?? 0) + 1;
  }
}

function nameOf(root: string, depth: number): string {
  return (
    partsOf(root)
      .slice(-1 - depth)
      .join('~') || 'root'
  );
}

function hasMore(root: string, depth: number): boolean {
  return partsOf(root).length > depth + 1;
}

/** A bare clone `requests.git`, and the `.git` folder of a working tree, go by the name of the repository. */
function partsOf(root: string): string[] {
  const whole = basename(root) === '.git' ? dirname(root) : root.replace(/\.git$/, '');
  return whole.split(sep).filter(Boolean);
}

/** For paths that are the same but for what names leave out. */
function numbered(name: string, before: readonly string[]): string {
  const same = before.filter((other) => other === name).length;
  return same === 0 ? name : `${name}~${same + 1}`;
}
