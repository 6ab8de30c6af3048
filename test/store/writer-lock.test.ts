import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { WriterLock } from '../../src/engine/store/writer-lock.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

test('a jump of the clock does not end the wait for another writer', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, 'writer.lock');
  const [holder, waiting] = [new WriterLock(path), new WriterLock(path)];
  t.after(() => {
    holder.close();
    waiting.close();
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = holder.hold(() => released);
  let looks = 0;
  t.mock.method(Date, 'now', () => {
    if (++looks === 3) release();
    return looks * 3_600_000;
  });
  const done = waiting.hold(async () => 'its turn', 60_000);
  // A wait that uses the monotonic clock ignores this one.
  setTimeout(release, 300);
  assert.equal(await done, 'its turn');
  await held;
  await assert.rejects(
    holder.hold(() => waiting.hold(async () => 'never', 0)),
    { code: 'busy' },
    'a wait ends all the same',
  );
});
