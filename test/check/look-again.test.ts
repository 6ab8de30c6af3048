import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CheckableRanking } from '../../src/services/check/candidates.ts';
import { StoredAnswers } from '../../src/services/check/stored-answers.ts';
import { sortByCheck } from '../../src/shared/checked-order.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { complete, endpoints } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

/** Returns a list of the first functions of a file, whose others are only found by searching. */
function listing(shown: number, searches: string[] = []): CheckableRanking {
  const whole = ranking(60);
  return {
    ...whole,
    results: whole.results.slice(0, shown),
    search: async (text, limit) => {
      searches.push(text);
      return whole.results.toReversed().slice(0, limit);
    },
  };
}

const MISSES = { edit: [{ id: 2, reason: 'It splits.' }], order: [2, 3], missing: ['Jar.cut'] };

describe('a check whose model misses code', () => {
  const endpoint = endpoints();

  it('asks again with what is found in the index and the next ten, and adds what the model ranks', async () => {
    const searches: string[] = [];
    const model = await endpoint(({ chunks }, response, turn) => {
      if (turn === 0) return complete(response, MISSES);
      const id = chunks.findIndex(({ name }) => name === 'f59') + 1;
      complete(response, { edit: [{ id, reason: 'It cuts.' }], order: [id, 1], missing: ['more'] });
    });
    const list = listing(35, searches);
    const done = await checkAt(model, list);
    const [, again] = model.asked.map(({ chunks }) => chunks.map(({ name }) => name));
    assert.deepEqual(searches, ['Jar.cut']);
    const found = Array.from({ length: 20 }, (_, at) => `f${60 - at}`);
    const next = Array.from({ length: 10 }, (_, at) => `f${21 + at}`);
    assert.deepEqual(again, ['f2', 'f3', ...found, ...next]);
    // Nothing can be added after the second answer, so there is no third request.
    assert.equal(model.asked.length, 2);
    assert.match(model.asked[1].text, /"missing": \[\]\./);
    assert.deepEqual(namesOf(done), ['f59', 'f2', 'f3', ...without(engineOrder(20), 'f2', 'f3')]);
    assert.deepEqual(
      done.chunks.slice(0, 2).map(({ isEdit, from }) => [isEdit, from]),
      [
        [true, null],
        [false, 2],
      ],
      'the last answer decides what is edited',
    );
    assert.deepEqual(done.missing, ['Jar.cut']);
    assert.deepEqual(
      sortByCheck(list.results, done).map(({ name }) => name),
      ['f59', 'f2', 'f3', ...without(engineOrder(35), 'f2', 'f3')],
    );
  });

  it('asks again if nothing is to be edited, and not otherwise', async () => {
    const model = await endpoint((_, response) =>
      complete(response, { edit: [], order: [4], missing: [] }),
    );
    const searches: string[] = [];
    await checkAt(model, listing(35, searches));
    assert.equal(model.asked.length, 2);
    assert.deepEqual(searches, []);
    const sure = await endpoint((_, response) => complete(response, { ...MISSES, missing: [] }));
    await checkAt(sure, listing(35));
    assert.equal(sure.asked.length, 1);
  });

  it('asks once if there is nothing to add, or if that is set', async () => {
    const model = await endpoint((_, response) => complete(response, MISSES));
    await checkAt(model, ranking(5));
    assert.equal(model.asked.length, 1);
    await checkAt(model, listing(35), { settings: { lookAgain: false } });
    assert.equal(model.asked.length, 2);
  });

  it('keeps the first answer if the second request fails, and says so', async () => {
    const model = await endpoint((_, response, turn) => {
      if (turn === 0) complete(response, MISSES);
      else response.writeHead(404).end();
    });
    const done = await checkAt(model, listing(35));
    assert.equal(done.failure, null);
    assert.deepEqual(namesOf(done), ['f2', 'f3', ...without(engineOrder(20), 'f2', 'f3')]);
    assert.deepEqual(done.added, []);
    assert.match(done.notes.join(), /^It was not asked again: /);
  });

  it('only searches the index for what a hostile answer misses', async () => {
    const searches: string[] = [];
    const missing = ['/etc/passwd', '../../key', 'a\nb', '`rm -rf /`'];
    const model = await endpoint((_, response, turn) =>
      complete(response, turn === 0 ? { ...MISSES, missing } : { edit: [99], order: [1] }),
    );
    const done = await checkAt(model, listing(35, searches));
    assert.deepEqual(searches, ['/etc/passwd\n../../key\na b\n`rm -rf /`']);
    const known = new Set(ranking(60).results.map(({ address }) => address));
    for (const { address } of [...done.chunks, ...done.added]) assert.ok(known.has(address));
  });

  it('repeats both answers without asking', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const model = await endpoint((_, response, turn) =>
      complete(response, turn === 0 ? MISSES : { edit: [], order: [5], missing: [] }),
    );
    const answers = () => new StoredAnswers(join(folder, 'answers.jsonl'));
    const first = await checkAt(model, listing(35), { answers: answers() });
    const again = await checkAt(model, listing(35), { answers: answers() });
    assert.equal(model.asked.length, 2);
    assert.deepEqual(again.chunks, first.chunks);
    assert.deepEqual(again.added, first.added);
    assert.deepEqual(again.size, first.size);
    assert.deepEqual(again.used, { requests: 0, characters: 0 });
  });
});

const without = (names: readonly string[], ...others: string[]): string[] =>
  names.filter((name) => !others.includes(name));
