/** Tests of what every writable object storage does. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ObjectStore } from '../../src/services/objects/objects.ts';

const bytes = (text: string) => Buffer.from(text);

/** @param open opens another handle on the same storage, which is empty at first */
export function keepsTheContract(open: () => Promise<ObjectStore>): void {
  it('returns what was written', async () => {
    const store = await open();
    assert.equal(await store.get('a/one'), null);
    const tag = await store.put('a/one', bytes('1'), null);
    const stored = await store.get('a/one');
    assert.equal(stored?.bytes.toString(), '1');
    assert.equal(stored?.tag, tag);
    assert.equal(await store.size('a/one'), 1);
    assert.equal(await store.size('a/two'), null);
    store.close();
  });

  it('creates an object only once', async () => {
    const [one, other] = [await open(), await open()];
    const put = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        (i % 2 ? one : other).put('a/absent', bytes(String(i)), null),
      ),
    );
    const won = put.findIndex((tag) => tag !== null);
    assert.equal(put.filter((tag) => tag !== null).length, 1);
    assert.equal((await one.get('a/absent'))?.bytes.toString(), String(won));
  });

  it('replaces an object only if it is as expected', async () => {
    const store = await open();
    const first = await store.put('b', bytes('first'), null);
    const second = await store.put('b', bytes('second'), first);
    assert.notEqual(second, null);
    assert.notEqual(second, first);
    assert.equal(await store.put('b', bytes('third'), first), null);
    assert.equal(await store.put('missing', bytes('x'), first), null);
    assert.equal((await store.get('b'))?.bytes.toString(), 'second');
  });

  it('loses no update of concurrent writers', async () => {
    await (await open()).put('count', bytes('0'), null);
    const add = async () => {
      const store = await open();
      for (;;) {
        const now = await store.get('count');
        assert.ok(now);
        const next = bytes(String(Number(now.bytes) + 1));
        if (await store.put('count', next, now.tag)) return;
      }
    };
    await Promise.all([add(), add(), add(), add()]);
    assert.equal((await (await open()).get('count'))?.bytes.toString(), '4');
  });

  it('deletes objects', async () => {
    const store = await open();
    await store.put('c/x', bytes('xx'), null);
    await store.put('c/y/z', bytes('zzz'), null);
    await store.delete('c/x');
    await store.delete('c/x');
    assert.equal(await store.size('c/x'), null);
    assert.equal(await store.size('c/y/z'), 3);
  });

  it('does not read more than the limit', async () => {
    const store = await open();
    await store.put('large', Buffer.alloc(100), null);
    await assert.rejects(store.get('large', { maxBytes: 99 }), /large.* is larger than 99 bytes/);
    assert.equal((await store.get('large', { maxBytes: 100 }))?.bytes.length, 100);
  });

  it('rejects keys that lead elsewhere', async () => {
    const store = await open();
    for (const key of ['../x', '/x', 'a//b', 'a/../b', '.x', 'a\\b', ''])
      await assert.rejects(store.get(key), /Invalid object key/);
  });
}
