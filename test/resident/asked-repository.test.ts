/** Whatever happens to an engine, the command gets its answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAskedRepository } from '../../src/services/resident/asked-repository.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import type { ResidentMethods } from '../../src/services/resident/protocol.ts';
import { LocusError, type LocusErrorCode } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { ask, fakeMethods, NAME, REPORT, serve } from './support.ts';

/** A repository that is opened in this process, and what was called on it. */
function repositoryHere() {
  const calls: string[] = [];
  const here = {
    index: async () => {
      calls.push('index');
      return REPORT;
    },
    search: async () => {
      calls.push('search');
      return 'found here';
    },
    close: async () => void calls.push('close'),
  } as unknown as Repository;
  return { calls, open: async () => here };
}

async function asked(t: Parameters<typeof serve>[0], methods: Partial<ResidentMethods>) {
  const serving = await serve(t, fakeMethods(methods));
  const connection = await ask(t, serving.data);
  const { calls, open } = repositoryHere();
  return { ...serving, calls, repository: createAskedRepository(connection, '/root', open) };
}

test('an engine answers every query, and nothing is opened', async (t) => {
  const { repository, calls } = await asked(t, {});
  assert.deepEqual(await repository.index(), REPORT);
  assert.deepEqual(await repository.search({ issue: 'x' }), {
    name: 'search',
    request: { issue: 'x' },
  });
  assert.deepEqual(await repository.status(), { name: 'status', request: {} });
  await repository.close();
  assert.deepEqual(calls, []);
});

test('an engine that ends in the middle of an answer is replaced', async (t) => {
  const made = await asked(t, {
    query: async () => {
      made.endpoint.close();
      return new Promise(() => {});
    },
  });
  await made.repository.index();
  assert.equal(await made.repository.search({ issue: 'x' }), 'found here');
  assert.equal(await made.repository.search({ issue: 'x' }), 'found here');
  await made.repository.close();
  assert.deepEqual(made.calls, ['index', 'search', 'search', 'close']);
  assert.equal(await connectEngine(made.data, NAME), null);
});

const failWith = (code: LocusErrorCode) => ({
  index: async () => {
    throw new LocusError(code, 'It failed.', 'Try again.');
  },
});

for (const code of ['busy', 'bad-store', 'device', 'bad-repository', 'cancelled'] as const)
  test(`an engine that fails with ${code} is replaced`, async (t) => {
    const { repository, calls } = await asked(t, failWith(code));
    assert.deepEqual(await repository.index(), REPORT);
    assert.deepEqual(calls, ['index']);
  });

test('a defect of an engine is not shown', async (t) => {
  const { repository, calls } = await asked(t, {
    index: async () => {
      throw new TypeError('x is undefined');
    },
  });
  assert.deepEqual(await repository.index(), REPORT);
  assert.deepEqual(calls, ['index']);
});

for (const code of ['not-found', 'ambiguous', 'bad-input'] as const)
  test(`an error about the question is shown: ${code}`, async (t) => {
    const { repository, calls } = await asked(t, failWith(code));
    await assert.rejects(repository.index(), { code });
    assert.deepEqual(calls, []);
  });

test('a cancelled command opens nothing', async (t) => {
  const cancelling = new AbortController();
  const { repository, calls } = await asked(t, {
    query: async () => {
      cancelling.abort();
      return new Promise(() => {});
    },
  });
  const { signal } = cancelling;
  await assert.rejects(repository.search({ issue: 'x' }, { signal }), { code: 'cancelled' });
  assert.deepEqual(calls, []);
});
