import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { openRepository } from '../../src/services/open-repository.ts';
import { joinRepositories } from '../../src/services/workspace/join-repositories.ts';
import { prefixPaths } from '../../src/services/workspace/prefix-paths.ts';
import { chunkAddress, repositoryPath } from '../../src/shared/chunk.ts';
import {
  QUERIES,
  QUERY_NAMES,
  type QueryName,
  type QueryRequest,
  requestSchema,
  validateRequest,
} from '../../src/shared/queries.ts';
import { type QueryTarget, type Repository, runQuery } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const CHUNK = 'shop/cart.py::total';
const anchor = { path: 'shop/cart.py', qualifiedName: 'total', ordinal: 0, contentHash: null };
const DIFF = `--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,2 +1,2 @@
-def total(items, tax):
+def total(items):
     return sum(map(price, items))
`;
/** A request for each query. A new query does not compile without one. */
const REQUESTS: { [Name in QueryName]: QueryRequest<Name> } = {
  search: { issue: 'The total of an empty cart fails, see `total`' },
  show: { chunk: CHUNK },
  file: { path: 'shop/cart.py' },
  neighbors: { chunk: CHUNK },
  tests: { chunk: CHUNK },
  references: { chunk: CHUNK },
  similar: { chunk: CHUNK },
  blame: { path: 'shop/cart.py', line: 1 },
  history: { chunk: CHUNK },
  impact: { diff: DIFF },
  resolveAnchors: { anchors: [anchor] },
  find: { query: 'total' },
  grep: { pattern: 'total' },
  status: {},
  skipped: {},
};
const FILES = {
  'shop/cart.py':
    'def total(items):\n    return sum(map(price, items))\n\n\ndef price(item):\n    return item\n',
  'shop/order.py': 'from shop.cart import total\n\n\ndef pay(items):\n    return total(items)\n',
  'tests/test_cart.py':
    'from shop.cart import total\n\n\ndef test_total():\n    assert total([]) == 0\n',
  'shop/blob.py': 'a\0b',
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Lists paths and addresses of a response, by the names of fields. */
function placesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string')
    return /^(path|address|caller|callee|center)$/.test(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    placesIn(inner, Array.isArray(value) ? key : name),
  );
}

describe('the table of queries', () => {
  let root: string;
  let dataDir: string;
  let repository: Repository;
  let several: QueryTarget;

  before(async () => {
    root = gitRepository(FILES);
    dataDir = temporaryFolder();
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
    several = joinRepositories([
      { name: 'web', root, staysOpen: true, use: (run) => run(repository) },
    ]);
  });
  after(async () => {
    await repository.close();
    for (const folder of [root, dataDir]) removeFolder(folder);
  });

  for (const name of QUERY_NAMES) {
    const { response, addressedBy, summary } = QUERIES[name];

    it(`has the complete response of ${name} in its schema`, async () => {
      const answer = await runQuery(repository, name, REQUESTS[name]);
      // Parsing drops fields that the schema lacks.
      assert.deepEqual(asJson(response.parse(answer)), asJson(answer));
      assert.match(summary, /^[A-Z].*\.$/);
    });

    if (addressedBy !== 'repository')
      it(`routes ${name} in a workspace, with the repository before each path`, async () => {
        const request = REQUESTS[name] as Record<string, string>;
        const own = request[addressedBy]!;
        const answer = await runQuery(several, name, { ...request, [addressedBy]: `web/${own}` });
        const alone = await runQuery(repository, name, request);
        assert.deepEqual(
          placesIn(answer),
          placesIn(alone).map((place) => `web/${place}`),
        );
        assert.equal(placesIn(alone).length > 0, name !== 'blame');
        await assert.rejects(runQuery(several, name, { ...request, [addressedBy]: 'gone/x.py' }), {
          code: 'not-found',
        });
      });
  }

  it('validates a request once, and an invalid one each time', () => {
    const valid = validateRequest('neighbors', { chunk: CHUNK });
    assert.deepEqual(valid, { chunk: CHUNK, depth: 1, direction: 'both', limit: 200 });
    assert.equal(validateRequest('neighbors', valid), valid);
    const received = requestSchema('neighbors').parse({ chunk: CHUNK });
    assert.equal(validateRequest('neighbors', received), received);
    assert.throws(() => Object.assign(valid, { depth: 99 }), TypeError);
    const copy = { ...valid };
    assert.notEqual(validateRequest('neighbors', copy), copy);
    const wrong = { ...valid, depth: 99 };
    assert.throws(() => validateRequest('neighbors', wrong), { code: 'bad-input' });
  });

  it('rejects a path in a response that cannot be prefixed', () => {
    const inside = z.object({ files: z.array(z.object({ path: repositoryPath.nullable() })) });
    const files = [{ path: 'a.py' }, { path: null }];
    assert.deepEqual(prefixPaths(inside, { files }, 'web').files, [
      { path: 'web/a.py' },
      { path: null },
    ]);
    const union = z.union([chunkAddress, z.number()]);
    assert.throws(() => prefixPaths(union, 'a.py::f', 'web'), /cannot be prefixed/);
  });
});
