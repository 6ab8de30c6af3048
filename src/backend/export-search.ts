import { MAX_RESULTS } from '../shared/limits.ts';
import type { QueryTarget } from '../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../shared/search.ts';

interface DoneSearch {
  repository: QueryTarget;
  request: string;
  response: Promise<SearchResponse>;
}

/**
 * Searches for the exports of a window. The latest search is kept until the index changes, so another format or choice of results
 * needs no other search.
 */
export class ExportSearch {
  #latest: DoneSearch | null = null;

  /** Returns all results, because those to export can have any rank. */
  async run(repository: QueryTarget, request: SearchRequest): Promise<SearchResponse> {
    const key = JSON.stringify(request);
    const latest = this.#latest;
    if (latest?.repository === repository && latest.request === key) return latest.response;
    const response = repository.search({ ...request, limit: MAX_RESULTS });
    const search = { repository, request: key, response };
    this.#latest = search;
    const isFinal = await response.then(
      ({ partial, reranking }) => !partial && ['reranked', 'off'].includes(reranking.state),
      () => false,
    );
    if (!isFinal && this.#latest === search) this.forget();
    return response;
  }

  /** Forgets the latest search, because the index has changed. */
  forget(): void {
    this.#latest = null;
  }
}
