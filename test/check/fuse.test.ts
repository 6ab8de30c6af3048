import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Candidate } from '../../src/services/check/candidates.ts';
import {
  describeWeight,
  fuseOrders,
  getWeight,
  measureAgreement,
  measureAnswer,
  START_TRUST,
  updateTrust,
} from '../../src/services/check/fuse.ts';
import { StoredAnswers } from '../../src/services/check/stored-answers.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { complete, endpoints } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

describe('the order of the list and of the model', () => {
  it('is the model’s with all the weight, and the list’s with none', () => {
    assert.deepEqual(fuseOrders(5, [3, 1], 1), [3, 1, 0, 2, 4]);
    assert.deepEqual(fuseOrders(5, [3, 1], 0), [0, 1, 2, 3, 4]);
    assert.deepEqual(fuseOrders(3, [], 0.7), [0, 1, 2]);
    assert.deepEqual(fuseOrders(1, [0], 0.5), [0]);
  });

  it('is between them otherwise, and ties keep the order of the list', () => {
    assert.deepEqual(fuseOrders(2, [1, 0], 0.5), [0, 1]);
    assert.deepEqual(fuseOrders(4, [3, 0], 0.3), [0, 3, 1, 2]);
    assert.deepEqual(fuseOrders(4, [3, 0], 0.8), [3, 0, 1, 2]);
  });

  it('has each function once, whatever the model orders', () => {
    for (const order of [[0, 0, 1], [4, 3, 2, 1, 0], [2]])
      assert.deepEqual(fuseOrders(5, order, 0.4).toSorted(), [0, 1, 2, 3, 4]);
  });
});

describe('the trust in a model', () => {
  const candidates = ranking(20).results.map((chunk): Candidate => {
    return { chunk, excerpt: `parse header ${chunk.name}`, calls: [], overrides: [] };
  });
  const answer = (order: number[], reason?: string) => ({
    order,
    edits: new Map(reason === undefined ? [] : order.slice(0, 1).map((index) => [index, reason])),
  });
  const weigh = (trust: number, ...given: Parameters<typeof answer>) => {
    const traits = measureAnswer(candidates, answer(...given));
    return getWeight(updateTrust(trust, traits), traits);
  };

  it('is more if the first choices have evidence', () => {
    const scores = candidates.map(({ chunk }) => chunk.score);
    assert.ok(measureAgreement(scores, [1, 0, 2]) > 0);
    assert.ok(measureAgreement(scores, [19, 15, 11]) < 0);
    assert.ok(measureAgreement([1, 1, 1, 1], [3, 2, 1]) === 0);
    assert.ok(weigh(START_TRUST, [1, 0, 2], 'parses the header') > 0.8);
    assert.ok(weigh(START_TRUST, [19, 15, 11], 'renders a template') < 0.2);
  });

  it('is more if the reasons fit the functions, in any form of their words', () => {
    const fit = (reason: string) => measureAnswer(candidates, answer([1], reason)).fit;
    assert.equal(fit('It parses headers.'), 0.5);
    assert.equal(fit('parseHeader'), 1);
    assert.equal(fit('renders the template'), 0);
    assert.equal(fit(''), null);
    // Words of other scripts cannot be compared with code.
    assert.equal(fit('它解析标题'), null);
  });

  it('is at most undecided without reasons', () => {
    assert.equal(weigh(2, [1, 0, 2]), 0.5);
  });

  it('grows and falls with each answer, within limits', () => {
    let trust = START_TRUST;
    const good = { agreement: 0.4, fit: 0.3 };
    const bad = { agreement: -0.5, fit: null };
    for (let i = 0; i < 50; i++) trust = updateTrust(trust, good);
    assert.equal(getWeight(trust, good).toFixed(2), '0.88');
    for (let i = 0; i < 5; i++) trust = updateTrust(trust, bad);
    assert.equal(getWeight(trust, bad).toFixed(2), '0.12');
    for (let i = 0; i < 20; i++) trust = updateTrust(trust, good);
    assert.equal(getWeight(trust, good).toFixed(2), '0.88');
  });

  it('is explained where it is little', () => {
    const fusion = { order: [], weight: 0.2, agreement: -0.5, fit: 0.05 };
    assert.deepEqual(describeWeight({ ...fusion, weight: 0.5 }), []);
    assert.deepEqual(describeWeight(fusion), [
      'The model’s order counts only 20%, because it prefers functions with little evidence and its reasons do not fit the functions.',
    ]);
    assert.match(describeWeight({ ...fusion, fit: null }).join(), /and it gives no reasons\.$/);
    assert.match(describeWeight({ ...fusion, agreement: 1, fit: 1 }).join(), /answers before/);
  });
});

describe('a model that is worse than the list', () => {
  const endpoint = endpoints();

  it('hardly changes it, and a note says why', async () => {
    const model = await endpoint((_, response) =>
      complete(response, { edit: [], order: [20, 16, 12], missing: [] }),
    );
    const done = await checkAt(model, ranking(20), { weight: undefined });
    assert.deepEqual(namesOf(done).slice(0, 4), engineOrder(4));
    assert.match(done.notes.join(), /^The model’s order counts only 1\d%, because it prefers/);
    assert.deepEqual(done.fusion?.order, [20, 16, 12]);
  });

  it('is remembered by name and address, and the weight of an answer stays', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const open = () => new StoredAnswers(join(folder, 'answers.jsonl'));
    const model = await endpoint(({ chunks }, response) =>
      complete(
        response,
        chunks.length === 5
          ? { edit: [{ id: 5, reason: 'renders a template' }], order: [5, 4, 3] }
          : { edit: [{ id: 1, reason: 'def, pass' }], order: [1, 2, 3] },
      ),
    );
    const weigh = async (count: number, name = 'tiny') => {
      const settings = { model: name };
      const options = { weight: undefined, answers: open(), settings };
      return (await checkAt(model, ranking(count), options)).fusion?.weight ?? 0;
    };
    const first = await weigh(10);
    const other = await weigh(10, 'other');
    assert.equal(first, other);
    const weights: number[] = [];
    for (const count of [5, 11, 12, 13]) weights.push(await weigh(count));
    assert.ok(weights[0] < first, String(weights));
    assert.ok(weights[1] < first && weights[1] > weights[0], String(weights));
    assert.equal(await weigh(10), first);
    assert.equal(model.asked.length, 6);
  });
});
