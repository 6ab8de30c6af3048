/* A query for several repositories is embedded once. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { QueryCache } from '../../src/engine/encode/shared-encoder.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';

it('a query is embedded once while it is cached', async () => {
  const memory = new QueryCache();
  let runs = 0;
  const ask = (text: string) =>
    memory.getOrEncode(createTextQuery(text), async () => Float32Array.of(++runs));
  const [first, same] = await Promise.all([ask('cookies are lost'), ask('cookies are lost')]);
  assert.equal(first, same);
  await ask('another');
  assert.equal(runs, 2);
  for (let i = 0; i < 20; i++) await ask(`issue ${i}`);
  const before = runs;
  assert.notEqual(await ask('cookies are lost'), first);
  assert.equal(runs, before + 1, 'old ones are let go of');
});

it('a query that failed is embedded again', async () => {
  const memory = new QueryCache();
  const query = createTextQuery('cookies are lost');
  await assert.rejects(memory.getOrEncode(query, () => Promise.reject(new Error('no memory'))));
  assert.deepEqual(
    await memory.getOrEncode(query, async () => Float32Array.of(1)),
    Float32Array.of(1),
  );
});
