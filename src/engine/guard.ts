import type { Repository } from '../shared/repository.ts';
import { DamagedIndex } from './store/damage.ts';

/** A repository whose failures are told as `examine` says. A watch ends when the index turns out to be damaged. */
export function guard(repository: Repository, examine: (error: unknown) => unknown): Repository {
  const guarded =
    <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await method.apply(repository, args);
      } catch (error) {
        throw examine(error);
      }
    };
  const watch: Repository['watch'] = async ({ signal, onError = () => {}, ...options }) => {
    const ending = new AbortController();
    await repository.watch({
      ...options,
      signal: AbortSignal.any([signal, ending.signal]),
      onError: (error) => {
        const failure = examine(error) as Error;
        if (failure instanceof DamagedIndex) ending.abort(failure);
        else onError(failure);
      },
    });
    if (!signal.aborted) ending.signal.throwIfAborted();
  };
  return {
    index: guarded(repository.index),
    watch: guarded(watch),
    readAll: guarded(repository.readAll),
    search: guarded(repository.search),
    show: guarded(repository.show),
    file: guarded(repository.file),
    neighbors: guarded(repository.neighbors),
    references: guarded(repository.references),
    blame: guarded(repository.blame),
    similar: guarded(repository.similar),
    resolveAnchors: guarded(repository.resolveAnchors),
    find: guarded(repository.find),
    status: guarded(repository.status),
    skipped: guarded(repository.skipped),
    close: () => repository.close(),
  };
}
