/** Threads and processes answer calls, and callers learn when they fail or end. */
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  linkProcess,
  linkThread,
  WorkerClient,
  WorkerExit,
  type WorkerLink,
} from '../../src/base/worker-client.ts';
import { cancelled, isCancelled, LocusError, RemoteDefect } from '../../src/shared/errors.ts';
import type { SampleMethods } from './sample-worker.ts';

const SCRIPT = new URL('./sample-worker.ts', import.meta.url);

const LINKS: Record<string, () => WorkerLink> = {
  thread: () => linkThread(new Worker(SCRIPT)),
  process: () =>
    linkProcess(fork(fileURLToPath(SCRIPT), ['process'], { serialization: 'advanced' })),
};

for (const [kind, open] of Object.entries(LINKS)) {
  const start = (t: TestContext) => {
    const ends: Error[] = [];
    const notices: unknown[] = [];
    const client = new WorkerClient<SampleMethods>(open(), {
      explainEnd: ({ message }) =>
        new LocusError('device', `The sample ended: ${message}.`, 'Stop.'),
      onEnd: (reason) => ends.push(reason),
      onNotice: (notice) => notices.push(notice),
    });
    t.after(() => client.kill(new Error('The test is over.')));
    return { client, ends, notices };
  };

  describe(`a worker ${kind}`, () => {
    test('answers calls, with parts before the result', async (t) => {
      const { client } = start(t);
      assert.deepEqual(
        await Promise.all([client.call('double', 1), client.call('double', 2)]),
        [2, 4],
      );
      const parts: number[] = [];
      assert.equal(await client.call('count', 3, { onPart: (n) => parts.push(n) }), 'counted');
      assert.deepEqual(parts, [1, 2, 3]);
      assert.equal((await client.call('bytes', 9)).length, 9);
      assert.equal(client.pending, 0);
    });

    test('streams parts until the consumer stops', async (t) => {
      const { client } = start(t);
      const parts: number[] = [];
      for await (const n of client.stream('count', 1000)) if (parts.push(n) === 5) break;
      assert.deepEqual(parts, [1, 2, 3, 4, 5]);
      const stream = client.stream('count', 2);
      assert.deepEqual(
        [await stream.next(), await stream.next(), await stream.next()],
        [
          { value: 1, done: false },
          { value: 2, done: false },
          { value: 'counted', done: true },
        ],
      );
    });

    test('sends errors and keeps running', async (t) => {
      const { client } = start(t);
      await assert.rejects(client.call('fail', 'locus'), {
        name: 'LocusError',
        code: 'bad-input',
        remedy: 'Send an even one.',
      });
      await assert.rejects(client.call('fail', 'defect'), RemoteDefect);
      assert.equal(await client.call('double', 3), 6);
    });

    test('stops work that is cancelled', async (t) => {
      const { client } = start(t);
      const controller = new AbortController();
      const { signal } = controller;
      const waiting = client.call('wait', null, { signal, name: 'Waiting' });
      assert.equal(await client.call('aborted', null), 0);
      controller.abort();
      await assert.rejects(waiting, /Waiting was cancelled/);
      assert.equal(await client.call('aborted', null), 1);
      await assert.rejects(client.call('double', 1, { signal }), isCancelled);
    });

    test('that ends fails pending calls and all later ones', async (t) => {
      const { client, ends } = start(t);
      const waiting = assert.rejects(client.call('wait', null), /The sample ended: its .* code 3/);
      await assert.rejects(client.call('die', null), { code: 'device' });
      await waiting;
      await assert.rejects(client.call('double', 1), { code: 'device' });
      assert.equal(ends.length, 1);
      assert.ok(ends[0] instanceof WorkerExit);
    });

    test('that is closed fails calls, finishes its work and ends', async (t) => {
      const { client, notices } = start(t);
      const waiting = assert.rejects(client.call('wait', null), isCancelled);
      assert.equal(await client.close(cancelled('Waiting'), 60_000), true);
      await waiting;
      assert.deepEqual(notices, ['closing']);
      await assert.rejects(client.call('double', 1), isCancelled);
    });
  });
}

/** Kills a worker with a pending call and reports it, in a process that waits for nothing else. */
const KILL_AND_TELL = `
  import { fork } from 'node:child_process';
  import { Worker } from 'node:worker_threads';
  const { linkProcess, linkThread, WorkerClient } = await import(process.argv[1]);
  const [, , script, kind] = process.argv;
  const link = kind === 'thread'
    ? linkThread(new Worker(script))
    : linkProcess(fork(script, ['process'], { serialization: 'advanced' }));
  const client = new WorkerClient(link, { explainEnd: (reason) => reason });
  await client.call('double', 1);
  client.call('wait', null).catch(() => {});
  await client.kill(new Error('It is over.'));
  console.log('killed');
`;

for (const kind of Object.keys(LINKS))
  test(`a process that waits for the end of its last ${kind} continues`, () => {
    const client = fileURLToPath(new URL('../../src/base/worker-client.ts', import.meta.url));
    const args = ['--eval', KILL_AND_TELL, client, fileURLToPath(SCRIPT)];
    const { stdout, stderr } = spawnSync(process.execPath, [...args, kind], { encoding: 'utf8' });
    assert.equal(stdout, 'killed\n', stderr);
  });
