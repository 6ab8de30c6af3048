import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DamagedIndex } from '../../src/base/damage.ts';
import { shareOpening } from '../../src/services/workspace/share-opening.ts';

describe('a shared opening', () => {
  it('answers queries of one repository that are asked at once, one repository at a time', async () => {
    const events: string[] = [];
    const use = shareOpening<string>(async (name, run) => {
      events.push(`open ${name}`);
      await run(name.toUpperCase());
      events.push(`close ${name}`);
    });
    const ask = (name: string, at: number) =>
      use(name, async (resource) => {
        events.push(`${resource}${at}`);
        return `${resource}${at}`;
      });
    const answers = [ask('a', 1), ask('b', 2), ask('a', 3), ask('b', 4)];
    assert.deepEqual(await Promise.all(answers), ['A1', 'B2', 'A3', 'B4']);
    assert.deepEqual(events, [
      ...['open a', 'A1', 'A3', 'close a'],
      ...['open b', 'B2', 'B4', 'close b'],
    ]);
    assert.equal(await ask('a', 5), 'A5');
    assert.equal(events.filter((event) => event === 'open a').length, 2);
  });

  it('gives each query its own error, and all of them that of an opening', async () => {
    const use = shareOpening<string>(async (name, run) => {
      if (name === 'gone') throw new Error('cannot be opened');
      await run(name);
    });
    const failing = use('a', () => Promise.reject(new Error('no such chunk')));
    const fine = use('a', async () => 'found');
    await assert.rejects(failing, { message: 'no such chunk' });
    assert.equal(await fine, 'found');
    const [one, other] = [use('gone', async () => 1), use('gone', async () => 2)];
    await assert.rejects(one, { message: 'cannot be opened' });
    await assert.rejects(other, { message: 'cannot be opened' });
    assert.equal(await use('b', async () => 'found'), 'found');
  });

  it('answers again after an index was damaged and rebuilt', async () => {
    const damage = new DamagedIndex('/index', 'torn');
    const use = shareOpening<number>(async (_, run) => {
      await run(1).catch(async (error) => {
        assert.equal(error, damage);
        await run(2);
      });
    });
    const ask = () =>
      use('a', async (turn) => {
        if (turn === 1) throw damage;
        return turn;
      });
    assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2]);
  });
});
