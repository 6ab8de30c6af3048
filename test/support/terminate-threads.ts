/**
 * Indexes, embeds and searches while threads of the process are terminated at random moments:
 * `node terminate-threads.ts <root> <data dir> <rounds> <seed>`. Prints the number of terminated threads and of failures by kind.
 * Fails unless later work in the same process succeeds.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import workerThreads, { Worker } from 'node:worker_threads';
import { LocusError } from '../../src/shared/errors.ts';
import { uniform } from './effort.ts';

const [root = '', dataDir = '', rounds = '1', seed = '1'] = process.argv.slice(2);
const random = uniform(Number(seed));
const threads = new Set<Worker>();

class ListedWorker extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given);
    threads.add(this);
  }
}
workerThreads.Worker = ListedWorker;
syncBuiltinESMExports();
const { openRepository } = await import('../../src/services/open-repository.ts');
const { listRerankedResults } = await import('./rerank-and-exit.ts');

const report = { ended: 0, failures: {} as Record<string, number> };
let expected = '';
let duration = 0;
for (let round = 0; round <= Number(rounds); round++) {
  if (random() < 0.7) rmSync(join(dataDir, 'repositories'), { recursive: true, force: true });
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  const work = async () => {
    await repository.index();
    return Promise.allSettled([listRerankedResults(repository), repository.embedForReranking()]);
  };
  const start = performance.now();
  const working = work().catch((reason: unknown) => [{ status: 'rejected' as const, reason }]);
  if (round > 0) {
    await sleep(random() * duration);
    const alive = [...threads].filter(({ threadId }) => threadId !== -1);
    const victim = alive[Math.floor(random() * alive.length)];
    if (victim) report.ended++;
    await victim?.terminate();
  }
  for (const outcome of await working) {
    if (outcome.status === 'fulfilled') continue;
    const error: unknown = outcome.reason;
    // Without its thread, the reranker keeps the initial ranking and says so.
    const isExpected =
      error instanceof LocusError || /^(partial|failed): /.test(`${error}`.replace(/^Error: /, ''));
    assert.ok(isExpected, (error as Error).stack);
    const what = error instanceof LocusError ? error.code : (error as Error).message;
    report.failures[what] = (report.failures[what] ?? 0) + 1;
  }
  duration = Math.max(duration, round === 0 ? performance.now() - start : 0);
  await repository.index();
  await repository.embedForReranking();
  const found = JSON.stringify(
    (await listRerankedResults(repository)).map((list) => list.map(([address]) => address)),
  );
  if (round === 0) expected = found;
  assert.equal(found, expected, `round ${round} of seed ${seed}`);
  await repository.close();
}
process.stdout.write(JSON.stringify([report]), () => process.exit(0));
