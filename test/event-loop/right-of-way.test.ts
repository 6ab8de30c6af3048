import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PriorityGate } from '../../src/base/priority-gate.ts';
import { Pacer } from '../../src/engine/event-loop/pacer.ts';
import type { Stepwise } from '../../src/engine/event-loop/stepwise.ts';

/** Works for some milliseconds, with many pauses. */
function* work(milliseconds: number, onStep: () => void): Stepwise<string> {
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    onStep();
    yield 1;
  }
  return 'done';
}

test('pauses while other work has the right of way, and continues afterwards', async () => {
  const searches = new PriorityGate();
  let steps = 0;
  const search = Promise.withResolvers<void>();
  const searched = searches.run(() => search.promise);
  const worked = new Pacer(undefined, searches).run(
    work(40, () => {
      steps++;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  const before = steps;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(steps, before);
  search.resolve();
  await searched;
  assert.equal(await worked, 'done');
});

test('pauses until all work with the right of way has ended', async () => {
  const searches = new PriorityGate();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = [searches.run(() => one.promise), searches.run(() => other.promise)];
  let isFree = false;
  const free = searches.waitUntilFree().then(() => {
    isFree = true;
  });
  one.reject(new Error('a search that fails'));
  await assert.rejects(held[0]);
  assert.equal(isFree, false);
  other.resolve();
  await Promise.all([held[1], free]);
  assert.equal(isFree, true);
});

test('can be canceled during a pause', async () => {
  const searches = new PriorityGate();
  const search = Promise.withResolvers<void>();
  const searched = searches.run(() => search.promise);
  const abort = new AbortController();
  const worked = new Pacer(abort.signal, searches).run(work(10_000, () => {}));
  setTimeout(() => abort.abort(), 40);
  await assert.rejects(worked, { code: 'cancelled' });
  search.resolve();
  await searched;
});
