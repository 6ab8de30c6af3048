import { DamagedIndex } from '../base/damage.ts';
import { mapQueries, QUERY_NAMES, type QueryName, validateRequest } from '../shared/queries.ts';
import {
  type QueryMethods,
  type QueryTarget,
  type Repository,
  type RepositoryLifetime,
  runQuery,
} from '../shared/repository.ts';

/**
 * Returns the public view of a repository: it validates requests and passes failures through `examine`. A watch ends if the index
 * is damaged.
 */
export function guard(
  repository: QueryMethods & RepositoryLifetime,
  examine: (error: unknown) => unknown,
): Repository {
  const guarded =
    <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await method.apply(repository, args);
      } catch (error) {
        throw examine(error);
      }
    };
  const watch: Repository['watch'] = async ({ signal, onHealth = () => {}, ...options }) => {
    const ending = new AbortController();
    await repository.watch({
      ...options,
      signal: AbortSignal.any([signal, ending.signal]),
      onHealth: (health) => {
        const failure = health.failure && (examine(health.failure) as Error);
        if (failure instanceof DamagedIndex) ending.abort(failure);
        else onHealth({ ...health, failure });
      },
    });
    if (!signal.aborted) ending.signal.throwIfAborted();
  };
  const query = (name: QueryName) =>
    guarded(async (request: object = {}, options?: object) =>
      runQuery(repository, name, validateRequest(name, request), options),
    );
  return {
    ...mapQueries<QueryTarget>(QUERY_NAMES, query),
    index: guarded(repository.index),
    watch: guarded(watch),
    embedForReranking: guarded(repository.embedForReranking),
    close: () => repository.close(),
  };
}
