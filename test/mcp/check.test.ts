import assert from 'node:assert/strict';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StoredChecks } from '../../src/services/check/stored-checks.ts';
import { findChunks } from '../../src/services/exchange/find-chunks.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { CheckOutcome } from '../../src/shared/check.ts';
import { type FakeEndpoint, fakeEndpoint, finds } from '../check/fake-endpoint.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Agent, ISSUE, names, SHOP, stdioAgent } from './agent.ts';

describe('locate, about an issue that was checked', () => {
  let dataDir: string;
  let shop: string;
  let agent: Agent;
  let model: FakeEndpoint;
  let engine: string[];

  before(async () => {
    dataDir = realpathSync(temporaryFolder());
    shop = realpathSync(gitRepository(SHOP));
    model = await fakeEndpoint(finds('Cart.total'));
    agent = await stdioAgent({
      dataDir,
      args: ['--repo', shop],
      env: { LOCUS_CHECK_URL: model.address, LOCUS_CHECK_MODEL: 'tiny' },
    });
    engine = names((await agent.ready(ISSUE)).value.results);
  });
  after(async () => {
    await agent.close();
    await model.close();
    removeFolder(shop);
    removeFolder(dataDir);
  });

  /** Stores a check that has `first` first, as a window would. */
  async function store(first: string, reason: string): Promise<void> {
    const repository = await openRepository(shop, { dataDir, readOnly: true });
    const { results } = await repository.search({ issue: ISSUE });
    const order = [first, ...results.map(({ address }) => address).filter((one) => one !== first)];
    const use = { requests: 1, characters: 1 };
    const outcome: CheckOutcome = {
      ...{ model: 'qwen', place: 'on this machine', checkedAt: '2026-11-28T10:00:00.000Z' },
      ...{ isExternal: false, missing: [], notes: [], failure: null },
      ...{ size: { request: 1, answer: 1 }, used: use, budget: use },
      asked: order,
      added: [],
      chunks: order.map((address, at) => ({
        ...{ address, isEdit: address === first, reason: address === first ? reason : '' },
        from: results.findIndex((result) => result.address === address) + 1,
        to: at + 1,
      })),
    };
    const contents = await findChunks(order, repository);
    new StoredChecks(dataDir).set({ root: shop, issue: ISSUE }, outcome, contents);
    await repository.close();
  }

  it('answers in its order, says who checked, and asks no model', async () => {
    const unchecked = await agent.call('locate', { query: ISSUE });
    assert.equal(unchecked.value.checkedBy, null);
    assert.doesNotMatch(unchecked.text, /check/);
    const last = engine.at(-1) ?? '';
    await store(last, 'It `rounds`.\u202e');
    const { value, text } = await agent.call('locate', { query: ISSUE, limit: 2 });
    assert.deepEqual(names(value.results), [last, engine[0]]);
    assert.deepEqual(value.results[0].check, { edit: true, reason: 'It `rounds`.\\u{202e}' });
    assert.deepEqual(value.results[1].check, { edit: false, reason: '' });
    assert.equal(value.confidence, null);
    assert.match(value.checkedBy, /^Checked by `qwen on this machine` on 2026-11-28\. The order/);
    assert.match(text, /\n {2}check: edit, `It \\x60rounds\\x60\.\\u\{202e\}`\n/);
    assert.match(text, /\ncheck: Checked by `qwen on this machine`/);
    assert.equal(model.asked.length, 0);
  });

  it('answers without it about another issue, changed code and unchecked functions', async () => {
    await store(engine.at(-1) ?? '', 'Here.');
    const other = await agent.call('locate', { query: `${ISSUE}, again` });
    assert.equal(other.value.checkedBy, null);
    assert.notEqual((await agent.call('locate', { query: `${ISSUE}\n` })).value.checkedBy, null);
    const more = join(shop, 'shop/digits.py');
    writeFileSync(more, 'def round_prices(cart, digits):\n    return rounded(cart, digits)\n');
    assert.equal((await agent.call('locate', { query: ISSUE })).value.checkedBy, null);
    rmSync(more);
    const path = join(shop, 'shop/money.py');
    writeFileSync(path, SHOP['shop/money.py'].replace('digits=1', 'digits=2'));
    const old = await agent.call('locate', { query: ISSUE });
    assert.equal(old.value.checkedBy, null);
    assert.deepEqual(names(old.value.results), engine);
    assert.equal(model.asked.length, 0);
  });
});
