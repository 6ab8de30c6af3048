import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { SearchResponse } from '../../src/shared/search.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { syntheticPackage } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { type Client, connect, indexed, waitFor, workplace } from './support.ts';

await keepThreads('auto');

const ISSUE = 'def parse fails\n\nThe value that `parse` returns is wrong: a, b.';

describe('a search with reranking', () => {
  const place = workplace(syntheticPackage(12));
  let client: Client;
  let repository: string;
  before(async () => {
    installSecondModel(place.dataDir);
    client = connect(place.session);
    const done = indexed(client);
    repository = (await client.call('repository.open', { root: place.root })).id;
    await done;
  });
  after(() => place.done());

  const addresses = ({ results }: SearchResponse) => results.map(({ address }) => address);
  const request = { issue: ISSUE };

  // This must be the first search: embeddings that are cached are fast, so reranking could not be cancelled.
  it('is cancelled by a newer one during reranking', async () => {
    const run = randomUUID();
    const reading = waitFor(client, 'ranking', (event) => event.run === run);
    const older = client.call('search', { repository, run, request });
    const failed = assert.rejects(older, { code: 'cancelled' });
    await reading;
    const newer = client.call('search', { repository, request: { issue: 'merge the session' } });
    await failed;
    assert.equal((await newer).reranking.state, 'reranked');
  });

  it('sends the initial ranking at once, and answers with the reranked list', async () => {
    const run = randomUUID();
    const first = waitFor(client, 'ranking', (event) => event.run === run);
    const answer = client.call('search', { repository, run, request });
    const told = (await first).response;
    assert.equal(told.reranking.state, 'reranking');
    const { reranking, results } = await answer;
    assert.deepEqual([reranking.state, reranking.count], ['reranked', told.reranking.of]);
    assert.equal(results.length, told.results.length);
  });

  it('exports and checks the list that is asked for', async () => {
    const shown = await client.call('search', { repository, request });
    const exported = async (rerank: { count: number }) => {
      const { text } = await client.call('list.export', {
        repository,
        format: 'json',
        request: { ...request, rerank },
      });
      const { chunks, reranking } = JSON.parse(text);
      return {
        reranking,
        names: chunks.map(
          ({ path, qualifiedName }: Record<string, string>) => `${path}::${qualifiedName}`,
        ),
      };
    };
    const { count } = shown.reranking;
    const refined = await exported({ count });
    assert.deepEqual(refined, {
      reranking: { count, of: count, models: ['coret-1 1'] },
      names: addresses(shown),
    });
    assert.equal((await exported({ count: 0 })).reranking, null);
  });
});
