import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DamagedIndex } from '../../src/base/damage.ts';
import {
  type Freshness,
  OnDemandRepository,
} from '../../src/services/keeper/on-demand-repository.ts';
import { cancelled, LocusError } from '../../src/shared/errors.ts';
import type { IndexProgress, IndexReport, RepositoryStatus } from '../../src/shared/indexing.ts';
import type { Repository } from '../../src/shared/repository.ts';

const PROGRESS: IndexProgress = { phase: 'parse', done: 3, total: 9, rate: 1, secondsLeft: 6 };

/** A run of `index` that a test starts and ends. */
interface Run {
  begin(): void;
  end(error?: Error): void;
  signal: AbortSignal;
}

interface SettingOptions {
  /** True if runs start at once, as without another writing process. */
  begins?: boolean;
  /** True for the index of a commit. */
  fixed?: boolean;
  /** True if a cancelled run only ends when the test says so. */
  lingers?: boolean;
  status?: Partial<RepositoryStatus>;
}

function setting({ begins, fixed, lingers, status }: SettingOptions = {}) {
  const runs: Run[] = [];
  const opened: boolean[] = [];
  let closed = 0;
  const repository = {
    index: ({ onProgress, signal }: Parameters<Repository['index']>[0] = {}) =>
      new Promise<IndexReport>((resolve, reject) => {
        const error = cancelled('Indexing');
        signal!.addEventListener('abort', () => lingers || reject(error));
        runs.push({
          begin: () => onProgress?.(PROGRESS),
          end: (error) =>
            error ? reject(error) : resolve({ notes: [] } as unknown as IndexReport),
          signal: signal!,
        });
        if (begins) runs.at(-1)?.begin();
      }),
    status: async () => ({
      root: process.cwd(),
      state: 'complete',
      chunks: 9,
      embedded: runs.length === 0 ? 0 : 9,
      ...status,
    }),
    close: async () => {
      closed++;
    },
  } as unknown as Repository;
  const index = new OnDemandRepository(async (readOnly) => {
    opened.push(readOnly);
    return repository;
  }, fixed ?? false);
  const ask = (waitMs: number, signal = new AbortController().signal) =>
    index.ask({ signal, waitMs }, async (_, freshness) => freshness);
  const turns = async () => {
    for (let i = 0; i < 10; i++) await new Promise(setImmediate);
  };
  return { index, runs, opened, ask, turns, closed: () => closed };
}

const LONG = 1e6;

describe('an on-demand repository', () => {
  it('answers even if the previous caller cancelled, and the run with it', async () => {
    const { ask, runs, turns } = setting({ lingers: true });
    const leaving = new AbortController();
    const left = ask(LONG, leaving.signal);
    await turns();
    leaving.abort();
    await assert.rejects(left, { code: 'cancelled' });
    assert.ok(runs[0]!.signal.aborted);
    const staying = ask(LONG);
    await turns();
    runs[0]!.end(cancelled('Indexing'));
    runs[1]?.end();
    assert.equal((await staying).behind, null);
  });

  it('answers after a run that started after the question', async () => {
    const { ask, runs, turns } = setting();
    const first = ask(LONG);
    await turns();
    runs[0]!.begin();
    // This question came after the run looked at the files, so it may miss an edit.
    const second = ask(LONG);
    const third = ask(LONG);
    await turns();
    assert.equal(runs.length, 2);
    runs[0]!.end();
    assert.equal((await first).behind, null);
    runs[1]!.begin();
    runs[1]!.end();
    const current: Freshness = { behind: null, progress: null, notes: [] };
    assert.deepEqual([await second, await third], [current, current]);
  });

  it('answers from the current index after a while, and reports the progress of the run', async () => {
    const { index, ask, runs, turns } = setting({ begins: true });
    assert.deepEqual(await ask(1), {
      behind: 'indexing is in progress',
      progress: PROGRESS,
      notes: [],
    });
    assert.equal(runs[0]!.signal.aborted, false);
    assert.equal(index.progress, PROGRESS);
    runs[0]!.end();
    await turns();
    assert.equal(index.progress, null);
  });

  it('ends a run when all callers have cancelled, and not before', async () => {
    const { ask, runs, turns } = setting();
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [ask(LONG, one.signal), ask(LONG, other.signal)];
    await turns();
    one.abort();
    await assert.rejects(asked[0]!, { code: 'cancelled' });
    assert.equal(runs[0]!.signal.aborted, false);
    other.abort();
    await assert.rejects(asked[1]!, { code: 'cancelled' });
    assert.equal(runs[0]!.signal.aborted, true);
  });

  it('does not end a run if a caller was told to ask again', async () => {
    const { ask, runs, turns } = setting({ begins: true });
    await ask(1);
    const leaving = new AbortController();
    const asked = ask(LONG, leaving.signal);
    await turns();
    leaving.abort();
    await assert.rejects(asked);
    assert.equal(runs[0]!.signal.aborted, false);
    assert.equal(runs[1]!.signal.aborted, true);
  });

  it('reads what another process has stored while that one is writing', async () => {
    const { ask, opened, closed } = setting();
    const { behind } = await ask(1);
    assert.match(behind ?? '', /another Locus process/);
    assert.deepEqual(opened, [false, true]);
    assert.equal(closed(), 1);
  });

  it('answers from an index that cannot be written, and says so', async () => {
    const { ask, runs, turns } = setting();
    const asked = ask(LONG);
    await turns();
    runs[0]!.begin();
    runs[0]!.end(new LocusError('read-only', 'it may only be read', 'give the permission'));
    assert.equal((await asked).behind, 'it may only be read. Give the permission');
  });

  it('answers from the stored index with the reason if it cannot be updated', async () => {
    for (const code of ['bad-repository', 'bad-store'] as const) {
      const { ask, runs, turns } = setting();
      const asked = ask(LONG);
      await turns();
      runs[0]!.end(new LocusError(code, 'Git cannot read it.', 'Mend it.'));
      assert.equal((await asked).behind, 'Git cannot read it. Mend it');
      const later = ask(LONG);
      await turns();
      runs[1]!.end();
      assert.equal((await later).behind, null, 'mended');
    }
  });

  it('fails if the folder is gone or the index is empty', async () => {
    for (const status of [{ root: '/nowhere/at/all' }, { state: 'empty' as const }]) {
      const { ask, runs, turns } = setting({ status });
      const asked = ask(LONG);
      await turns();
      runs[0]!.end(new LocusError('bad-repository', 'It is gone.', 'Put it back.'));
      await assert.rejects(asked, { message: 'It is gone.' });
    }
  });

  it('updates a commit until nothing is missing', async () => {
    const { ask, runs } = setting({ begins: true, fixed: true });
    assert.notEqual((await ask(1)).behind, null);
    assert.equal((await ask(LONG)).behind, null);
    assert.equal(runs.length, 1);
  });

  it('is opened again if its index is damaged', async () => {
    const { ask, runs, opened, turns } = setting();
    const asked = ask(LONG);
    await turns();
    runs[0]!.end(new DamagedIndex('/data/index.db', 'page 3'));
    await turns();
    runs[1]!.end();
    assert.equal((await asked).behind, null);
    assert.deepEqual(opened, [false, false]);
  });

  it('ends all runs when it is closed', async () => {
    const { index, ask, runs, turns, closed } = setting();
    const asked = ask(LONG);
    await turns();
    runs[0]!.begin();
    const rejected = assert.rejects(asked, { code: 'cancelled' });
    await index.close();
    await rejected;
    assert.equal(runs[0]!.signal.aborted, true);
    assert.equal(closed(), 1);
    await assert.rejects(ask(LONG), { code: 'cancelled' });
  });
});
