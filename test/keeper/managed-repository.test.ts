import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DamagedIndex } from '../../src/base/damage.ts';
import { Keeper } from '../../src/services/keeper/keeper.ts';
import { ManagedRepository } from '../../src/services/keeper/managed-repository.ts';
import { makeIndexFolderName } from '../../src/services/locations.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';

/** Opens repositories that do nothing, and records openings and closings. */
class Openings {
  readonly events: string[] = [];
  /** Openings that fail from now on. */
  failures = 0;
  #opened = 0;

  readonly open = async (readOnly: boolean): Promise<Repository> => {
    if (this.failures > 0) {
      this.failures--;
      throw new LocusError('bad-repository', 'It is gone.', 'Put it back.');
    }
    const name = `${++this.#opened}${readOnly ? ' read only' : ''}`;
    this.events.push(`open ${name}`);
    const close = async () => {
      this.events.push(`close ${name}`);
    };
    return { name, close } as unknown as Repository;
  };
}

const damage = (root: string) =>
  new DamagedIndex(
    `/data/repositories/${makeIndexFolderName(root)}/index.db`,
    'A page is damaged.',
  );

describe('a managed repository', () => {
  it('is opened once at first use, and again only after a failure', async () => {
    const openings = new Openings();
    openings.failures = 1;
    const kept = new ManagedRepository(openings.open);
    assert.deepEqual(openings.events, []);
    await assert.rejects(kept.repository, { code: 'bad-repository' });
    const [one, other] = await Promise.all([kept.repository, kept.repository]);
    assert.equal(one, other);
    await kept.close();
    assert.deepEqual(openings.events, ['open 1', 'close 1']);
    await assert.rejects(kept.repository, { code: 'cancelled' });
  });

  it('is reopened once for all tasks that meet the same damage, and runs each of them again', async () => {
    const openings = new Openings();
    const kept = new ManagedRepository(openings.open);
    const told: string[] = [];
    const work = () => {
      let runs = 0;
      return kept.withRepository(
        async () => {
          if (++runs === 1) throw damage('/shop');
          return runs;
        },
        ({ message }) => told.push(message),
      );
    };
    assert.deepEqual(await Promise.all([work(), work()]), [2, 2]);
    assert.equal(told.length, 2);
    assert.deepEqual(openings.events, ['open 1', 'close 1', 'open 2']);
    const failing = kept.withRepository(() => Promise.reject(new Error('not damage')));
    await assert.rejects(failing, /not damage/);
    assert.equal(openings.events.length, 3);
    await kept.close();
  });

  it('is read without being opened for writing', async () => {
    const openings = new Openings();
    const kept = new ManagedRepository(openings.open);
    await kept.withStoredIndex(async () => {});
    assert.deepEqual(openings.events, ['open 1 read only', 'close 1 read only']);
    await kept.repository;
    await kept.withStoredIndex(async () => {});
    assert.deepEqual(openings.events.slice(2), ['open 2']);
    await kept.close();
  });
});

describe('a keeper', () => {
  /** Creates a keeper with the working tree and a commit of one repository, and another repository. */
  async function setUp(idleMs: number) {
    const keeper = new Keeper<ManagedRepository, string>(idleMs);
    const places = [
      { root: '/shop', revision: undefined, within: null },
      { root: '/shop', revision: 'HEAD', within: null },
      { root: '/till', revision: undefined, within: null },
    ];
    const openings = places.map(() => new Openings());
    const entries = places.map((place, i) =>
      keeper.acquire(place, () => new ManagedRepository(openings[i]!.open)),
    );
    for (const { live, users } of entries) {
      users.add('one');
      await live.repository;
    }
    return { keeper, places, openings, entries };
  }

  it('closes a repository some time after its last user has left, and not before', async () => {
    const { keeper, places, openings, entries } = await setUp(20);
    const [shop] = entries;
    shop!.users.add('other');
    keeper.release(shop!, 'one');
    await sleep(60);
    assert.equal(keeper.get(shop!.id), shop);
    keeper.release(shop!, 'other');
    assert.equal(
      keeper.acquire(places[0]!, () => assert.fail('it is open')),
      shop,
    );
    shop!.users.add('back');
    await sleep(60);
    assert.deepEqual(openings[0]!.events, ['open 1']);
    keeper.release(shop!, 'back');
    while (keeper.get(shop!.id)) await sleep(5);
    assert.deepEqual(openings[0]!.events, ['open 1', 'close 1']);
    await keeper.close();
    assert.deepEqual(openings[2]!.events, ['open 1', 'close 1']);
  });

  it('reopens all repositories with a damaged index, and no others', async () => {
    const { keeper, openings } = await setUp(1000);
    const told: string[] = [];
    const recover = () => keeper.recover(damage('/shop'), ({ name }) => told.push(name));
    await Promise.all([recover(), recover()]);
    assert.deepEqual(told, ['shop', 'shop']);
    const again = ['open 1', 'close 1', 'open 2'];
    assert.deepEqual(
      openings.map(({ events }) => events),
      [again, again, ['open 1']],
    );
    await keeper.close();
  });

  it('runs a task while an index is closed, and reopens all repositories in any case', async () => {
    const { keeper, openings } = await setUp(1000);
    const failing = keeper.whileClosed(makeIndexFolderName('/shop'), async () => {
      for (const { events } of openings.slice(0, 2)) assert.equal(events.at(-1), 'close 1');
      throw new Error('it cannot be removed');
    });
    await assert.rejects(failing, /it cannot be removed/);
    assert.deepEqual(
      openings.map(({ events }) => events.at(-1)),
      ['open 2', 'open 2', 'open 1'],
    );
    await keeper.close();
  });
});
