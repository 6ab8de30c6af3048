/** Kills processes, the engine of a window, and threads at random moments of reranking and background embedding. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import type { Failure } from '../../src/shared/errors.ts';
import type { RankedChunk } from '../../src/shared/search.ts';
import { assertSameIndex, databasePath, dumpReadVectors } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { EngineWindow } from '../support/engine-window.ts';
import { fakeGh } from '../support/fake-gh.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';
import type { RankedResult } from '../support/rerank-and-exit.ts';
import { installSecondModel } from '../support/second-model.ts';

const KILLS = scaleRounds(2);
const SCRIPT = fileURLToPath(new URL('../support/rerank-and-exit.ts', import.meta.url));
const TERMINATING = fileURLToPath(new URL('../support/terminate-threads.ts', import.meta.url));
/** Accepted difference of scores, since embeddings from other batches differ in their last digits. */
const TOLERANCE = 1e-3;

/** Functions that the small model distinguishes. */
const MANY = Array.from({ length: 120 }, (_, i) => {
  const words = `${'a '.repeat(i % 11)}${'b '.repeat(Math.floor(i / 11))}`;
  return `def many():\n    '${words}'\n\n`;
}).join('');

describe('reranking and background embedding', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const random = uniform();
  let root: string;
  let expected: RankedResult[][];
  /** Time of an undisturbed process in milliseconds. */
  let duration: number;

  before(async () => {
    root = gitRepository({ ...syntheticPackage(24), 'pkg/many.py': MANY });
    for (const name of ['undisturbed', 'killed', 'window', 'threads']) installSecondModel(at(name));
    const start = performance.now();
    const [during, afterwards] = await begin('undisturbed').results;
    duration = performance.now() - start;
    assert.ok(during && afterwards);
    assertSame(during, afterwards);
    expected = afterwards;
    assert.ok(dumpReadVectors(at('undisturbed')).length > 100);
  });
  after(() => {
    for (const one of [folder, root]) removeFolder(one);
  });

  function begin(name: string, script = SCRIPT, ...rest: string[]) {
    const child = spawn(process.execPath, [script, root, at(name), ...rest], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const results = text(child.stdout).then(async (printed): Promise<RankedResult[][][]> => {
      const [code, signal] = await closed;
      if (signal === 'SIGKILL') return [];
      assert.equal(code, 0, `seed ${SEED}`);
      return JSON.parse(printed);
    });
    return { child, results };
  }

  function assertSame(lists: RankedResult[][], others: RankedResult[][]): void {
    assert.equal(lists.length, others.length);
    for (const [i, list] of lists.entries()) {
      assert.deepEqual(
        list.map(([address]) => address),
        others[i]!.map(([address]) => address),
      );
      for (const [place, [address, score]] of list.entries())
        assert.ok(Math.abs(score - others[i]![place]![1]) < TOLERANCE, address);
    }
  }

  /**
   * Asserts that the index equals that of an undisturbed run, and that no vector of it is missing or differs. There may be
   * more vectors: a search without the history, whose thread ended, can rerank the top-level code of another file.
   */
  function assertUndisturbed(name: string): void {
    assertSameIndex(at(name), at('undisturbed'));
    assertHoldsAll(dumpReadVectors(at(name)), dumpReadVectors(at('undisturbed')));
  }

  function assertHoldsAll(vectors: readonly string[], others: readonly string[]): void {
    const all = new Set(vectors);
    assert.deepEqual(
      others.filter((vector) => !all.has(vector)),
      [],
    );
    const keys = vectors.map((vector) => vector.split(':')[0]);
    assert.equal(new Set(keys).size, keys.length, 'a key has two vectors');
  }

  it(`do not change vectors or results after ${KILLS} kills of one or both of two processes`, async (t) => {
    let kills = 0;
    const found = { fresh: 0, both: 0, vectors: 0 };
    while (kills < KILLS) {
      const path = databasePath(at('killed'));
      if (path && random() < 0.6) {
        rmSync(join(path, '../..'), { recursive: true });
        found.fresh++;
      }
      const victim = begin('killed');
      await sleep(random() * 0.3 * duration);
      const other = begin('killed');
      await sleep(random() * 1.2 * duration);
      victim.child.kill('SIGKILL');
      if ((await victim.results).length === 0) kills++;
      if (random() < 0.3) {
        await sleep(random() * 0.5 * duration);
        other.child.kill('SIGKILL');
        found.both++;
      }
      for (const lists of await other.results) assertSame(lists, expected);
      const database = databasePath(at('killed'));
      if (database) found.vectors += dumpReadVectors(at('killed')).length;
      for (const lists of await begin('killed').results) assertSame(lists, expected);
      assertUndisturbed('killed');
    }
    t.diagnostic(
      `${kills + found.both} kills, 0 differences, seed ${SEED}: ${JSON.stringify(found)}`,
    );
  });

  it('differ if one vector is altered (control)', async () => {
    const vectors = dumpReadVectors(at('undisturbed'));
    const altered = [...vectors];
    altered[7] = altered[7]!.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    assert.throws(() => assertHoldsAll(altered, vectors));
    const database = new Sqlite(databasePath(at('killed'))!);
    database.pragma('recursive_triggers = ON');
    database.exec('UPDATE file_versions SET errors = errors + 1');
    database.close();
    assert.throws(() => assertUndisturbed('killed'), /file version/);
    rmSync(join(databasePath(at('killed'))!, '../..'), { recursive: true });
  });

  it(`answer the search and store the marks of a window after ${KILLS} kills of its engine`, async (t) => {
    let window = await EngineWindow.open(at('window'), root);
    let takes = await window.waitUntilReranked();
    const found = { reranked: 0, initial: 0 };
    try {
      for (let n = 0; n < KILLS; n++) {
        // An engine that often ends is restarted after growing delays.
        if (window.starts > 3) {
          await window.close();
          window = await EngineWindow.open(at('window'), root);
          takes = await window.waitUntilReranked();
        }
        const marked = window.mark(expected[0]![n % 20]![0], `${n}`);
        const searched = window.search();
        await sleep(random() * 1.5 * (takes + 30));
        window.kill();
        const { reranking, results } = await searched;
        // The next engine may scan the files first.
        assert.ok(['reranked', 'partial', 'changed'].includes(reranking.state), reranking.state);
        found[reranking.state === 'reranked' ? 'reranked' : 'initial']++;
        if (reranking.state === 'reranked') assertSame([ranked(results)], [expected[0]!]);
        const { missing, issue } = await marked;
        assert.deepEqual(missing, []);
        const notes = (await window.marks(issue)).map(({ note }) => note);
        assert.ok(notes.includes(`${n}`), `the mark of round ${n} is lost, seed ${SEED}`);
      }
      await window.waitUntilReranked();
      assertSame([ranked((await window.search()).results)], [expected[0]!]);
    } finally {
      await window.close();
    }
    for (const lists of await begin('window').results) assertSame(lists, expected);
    assertUndisturbed('window');
    t.diagnostic(`${KILLS} kills, 0 differences, seed ${SEED}: ${JSON.stringify(found)}`);
  });

  it(`post at most one comment for each ticket after ${KILLS} kills of the engine`, async (t) => {
    const gh = fakeGh();
    const count = join(gh.folder, 'count');
    gh.behave(
      `echo x >> '${count}'$GH_ROUND; sleep 0.1; echo https://github.com/acme/shop/issues/7#1`,
    );
    const { PATH } = process.env;
    process.env.PATH = gh.path;
    // One file for each kill, since gh may continue after it for any time.
    const comments = (round: number) =>
      existsSync(count + round) ? readFileSync(count + round, 'utf8').length / 2 : 0;
    const told = { posted: 0, unknown: 0, comments: 0 };
    try {
      const arePosted: boolean[] = [];
      for (let n = 0; n < KILLS; n++) {
        process.env.GH_ROUND = String(n);
        const window = await EngineWindow.open(at('window'), root);
        const posted = window.post('acme/shop#7', 'Where to edit').then(
          () => true,
          (error: Failure) => {
            assert.equal(error.code, 'not-posted');
            assert.match(error.remedy, /before you post again/);
            return false;
          },
        );
        await sleep(random() * 400);
        window.kill();
        arePosted.push(await posted);
        await window.close();
      }
      // gh continues without the engine.
      await sleep(300);
      for (const [n, isPosted] of arePosted.entries()) {
        const made = comments(n);
        assert.ok(made <= 1 && (made === 1 || !isPosted), `${made} comments, seed ${SEED}`);
        told[isPosted ? 'posted' : 'unknown']++;
        told.comments += made;
      }
    } finally {
      process.env.PATH = PATH;
      delete process.env.GH_ROUND;
      removeFolder(gh.folder);
    }
    t.diagnostic(`${KILLS} kills, 0 differences, seed ${SEED}: ${JSON.stringify(told)}`);
  });

  it(`work after ${KILLS} rounds of threads that end at random moments`, async (t) => {
    const { child, results } = begin('threads', TERMINATING, String(KILLS), String(SEED));
    const [report] = (await results) as unknown as [{ ended: number; failures: number }];
    assert.equal(child.exitCode, 0);
    for (const lists of await begin('threads').results) assertSame(lists, expected);
    assertUndisturbed('threads');
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(report)}`);
  });
});

const ranked = (results: readonly RankedChunk[]): RankedResult[] =>
  results.map(({ address, score }) => [address, score]);
