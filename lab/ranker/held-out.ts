/** Cross-validation by repository: a repository is measured with a model that was not fitted on it. */
import { assertPresent } from '../../src/shared/assert-present.ts';
/**
 * Calls `make` for each repository with the items of all others, and returns the results by repository.
 * @param also items to learn from that are not measured; those of the repository itself are left out here too
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
  return ({ repo }) => assertPresent(made.get(repo), `what was made without ${repo}`);
}
