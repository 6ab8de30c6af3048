import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExportSearch } from '../../src/backend/export-search.ts';
import type { QueryTarget } from '../../src/shared/repository.ts';
import type { Reranking, SearchResponse } from '../../src/shared/search.ts';
import { COOKIES, searchResponse } from '../exchange/sample.ts';

/** Returns a repository that counts its searches, whose lists have this state. */
function countSearches(state: Reranking['state'] = 'reranked') {
  const requests: unknown[] = [];
  const response = searchResponse(COOKIES);
  response.reranking = { ...response.reranking, state };
  const search = async (request: unknown): Promise<SearchResponse> => {
    requests.push(request);
    return response;
  };
  return { requests, target: { search } as unknown as QueryTarget };
}

describe('the search for exports', () => {
  it('runs once for several formats, and again for another request or repository', async () => {
    const { requests, target } = countSearches();
    const search = new ExportSearch();
    await Promise.all([1, 2, 3].map(() => search.run(target, { issue: 'a' })));
    await search.run(target, { issue: 'a' });
    assert.deepEqual(requests, [{ issue: 'a', limit: 1000 }]);
    await search.run(target, { issue: 'a', marked: { edit: ['x'] } } as never);
    assert.equal(requests.length, 2);
    const other = countSearches();
    await search.run(other.target, { issue: 'a' });
    assert.equal(other.requests.length, 1);
  });

  it('runs again after the index has changed, and if the list was not final', async () => {
    const { requests, target } = countSearches();
    const search = new ExportSearch();
    await search.run(target, { issue: 'a' });
    search.forget();
    await search.run(target, { issue: 'a' });
    assert.equal(requests.length, 2);
    const busy = countSearches('failed');
    await search.run(busy.target, { issue: 'a' });
    await search.run(busy.target, { issue: 'a' });
    assert.equal(busy.requests.length, 2);
  });

  it('runs again after a failure', async () => {
    const search = new ExportSearch();
    const failing = { search: () => Promise.reject(new Error('damaged')) };
    const target = failing as unknown as QueryTarget;
    await assert.rejects(search.run(target, { issue: 'a' }), /damaged/);
    failing.search = countSearches().target.search as never;
    assert.equal((await search.run(target, { issue: 'a' })).results.length, COOKIES.length);
  });
});
