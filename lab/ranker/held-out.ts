/** Cross-validation by repository: what is measured of a repository was never made with it. */
import { present } from '../../src/shared/present.ts';
/**
 * By repository, what `make` makes of the items of all others.
 * @param also items that nothing is measured on; those of the repository itself are left out all the same.
 */
export function leaveOneRepositoryOut<Item extends { repo: string }, Made>(
  items: readonly Item[],
  make: (others: Item[]) => Made,
  also: readonly Item[] = [],
): (item: { repo: string }) => Made {
  const all = [...items, ...also];
  const repos = new Set(items.map(({ repo }) => repo));
  const made = new Map(
    Array.from(repos, (held) => [held, make(all.filter(({ repo }) => repo !== held))]),
  );
  return ({ repo }) => present(made.get(repo), `what was made without ${repo}`);
}
