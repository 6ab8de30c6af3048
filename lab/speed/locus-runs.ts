/** Runs of Locus in each round, in this order: later runs find the indexes that earlier ones made. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { quantile } from '../bench/support/quantile.ts';
import { timeEdit } from '../million/edit.ts';
import type { WindowClient } from '../million/window.ts';
import type { Values } from './figures.ts';
import { measureFolder } from './folders.ts';
import type { Bench, LocusRun, Missing, Subject } from './run.ts';
import { openServedWindow } from './served.ts';
import { runCommand, timeCommand } from './timed.ts';

/** Time until a watcher has started and notices edits. */
const SETTLED_MS = 20_000;
/** Time until the engine that a search started can be asked. */
const STARTED_MS = 3_000;
const EDITS = 9;
const BETWEEN_EDITS_MS = 1_000;
const BETWEEN_SEARCHES_MS = 20;
const RERANKED = 50;

/** Returns the data directory of a version for one of the repositories. */
const dataOf = ({ scratch }: Bench, { name }: Subject, what: string) =>
  join(scratch, 'data', name.replaceAll(/\W/g, '-'), what);

/** Searches alone, without a resident engine. */
function search(bench: Bench, subject: Subject, what: 'small' | 'large', ...options: string[]) {
  const { root, issue } = bench[what];
  const alone = subject.hasResident ? ['--no-daemon'] : [];
  const words = ['search', root, '--file', issue, '--data-dir', dataOf(bench, subject, what)];
  return runCommand(bench, [...subject.command, ...words, ...alone, ...options]);
}

/** Searches twice by a resident engine, once it has the repository and the models open. Stops it at the end. */
async function searchResident(
  bench: Bench,
  subject: Subject,
  what: 'small' | 'large',
  ...options: string[]
): Promise<[first: number, again: number] | Missing> {
  if (!subject.hasResident) return { missing: 'this version has no resident engine' };
  const { root, queries } = bench[what];
  const { scratch } = bench;
  const data = ['--data-dir', dataOf(bench, subject, what)];
  const start = [...subject.command, 'search', root, ...data, ...options];
  // On a build server, commands start no engine.
  const { CI: _, ...env } = process.env;
  const timed = async (issue = '') => {
    const { values } = await timeCommand([...start, '--issue', issue], { scratch, env });
    return assertPresent(values.wall, 'a time');
  };
  // The vectors for the first issue are stored by now.
  const [, issue] = queries;
  try {
    await timed(queries.at(-1));
    await sleep(STARTED_MS);
    await timed(queries.at(-1));
    return [await timed(issue), await timed(issue)];
  } finally {
    await timeCommand([...subject.command, 'daemon', '--stop', ...data], { scratch });
  }
}

async function withWindow(
  bench: Bench,
  subject: Subject,
  dataDir: string,
  use: (window: WindowClient) => Promise<Values>,
): Promise<Values> {
  const window = await openServedWindow(subject.command, dataDir, bench.scratch);
  try {
    return await use(window);
  } finally {
    await window.close();
  }
}

const since = (start: number): number => (performance.now() - start) / 1000;

export const LOCUS_RUNS: readonly LocusRun[] = [
  {
    id: 'version',
    measure: (bench, subject) => runCommand(bench, [...subject.command, '--version']),
  },
  { id: 'help', measure: (bench, subject) => runCommand(bench, [...subject.command, '--help']) },
  ...['version', 'help'].map((word) => ({
    id: `${word}-checkout`,
    measure: async (bench: Bench, { checkout }: Subject) =>
      checkout
        ? runCommand(bench, [...checkout, `--${word}`])
        : { missing: 'only a package was given' },
  })),
  {
    id: 'small-first',
    measure: (bench, subject) => {
      rmSync(dataOf(bench, subject, 'small'), { recursive: true, force: true });
      return search(bench, subject, 'small', '--fast');
    },
  },
  {
    id: 'small-second',
    needs: 'small-first',
    measure: (bench, subject) => search(bench, subject, 'small', '--fast'),
  },
  {
    id: 'small-resident',
    needs: 'small-first',
    measure: async (bench, subject) => {
      const times = await searchResident(bench, subject, 'small', '--fast');
      return 'missing' in times ? times : { wall: times[1] };
    },
  },
  {
    id: 'window-first',
    measure: (bench, subject) => {
      const dataDir = dataOf(bench, subject, 'first');
      rmSync(dataDir, { recursive: true, force: true });
      return withWindow(bench, subject, dataDir, async (window) => {
        const start = performance.now();
        const { whenCurrent } = await window.open([bench.large.root]);
        whenCurrent.catch(() => {});
        for (;;) {
          const { results } = await window.search('error in the main function');
          if (results.length > 0) return { wall: since(start) };
          await sleep(BETWEEN_SEARCHES_MS);
        }
      });
    },
  },
  {
    id: 'index',
    measure: async (bench, subject) => {
      const dataDir = dataOf(bench, subject, 'large');
      rmSync(dataDir, { recursive: true, force: true });
      const words = ['index', bench.large.root, '--data-dir', dataDir];
      const values = await runCommand(bench, [...subject.command, ...words]);
      return { ...values, disk: measureFolder(dataDir) };
    },
  },
  {
    id: 'fast',
    needs: 'index',
    measure: (bench, subject) => search(bench, subject, 'large', '--fast'),
  },
  { id: 'reranked', needs: 'index', measure: (bench, subject) => search(bench, subject, 'large') },
  { id: 'cached', needs: 'reranked', measure: (bench, subject) => search(bench, subject, 'large') },
  {
    id: 'resident',
    needs: 'index',
    measure: async (bench, subject) => {
      const times = await searchResident(bench, subject, 'large');
      return 'missing' in times ? times : { reranked: times[0], cached: times[1] };
    },
  },
  {
    id: 'window',
    needs: 'index',
    measure: (bench, subject) =>
      withWindow(bench, subject, dataOf(bench, subject, 'large'), async (window) => {
        const { queries, root } = bench.large;
        const start = performance.now();
        const { whenCurrent } = await window.open([root]);
        await window.search(queries[0] ?? '');
        const opened = since(start);
        await whenCurrent;
        const rerank = async (issue: string) => {
          const { reranking } = await window.search(issue, 20, RERANKED);
          return reranking.milliseconds / 1000;
        };
        // The first reranking loads the model.
        await rerank(queries[2] ?? '');
        const [reranked, cached] = [await rerank(queries[3] ?? ''), await rerank(queries[3] ?? '')];
        const times: number[] = [];
        for (const query of queries) {
          const start = performance.now();
          await window.search(query);
          times.push(since(start));
        }
        return { opened, reranked, cached, search: median(times), search95: quantile(times, 0.95) };
      }),
  },
  {
    id: 'edits',
    needs: 'index',
    rounds: 1,
    measure: (bench, subject) =>
      withWindow(bench, subject, dataOf(bench, subject, 'large'), async (window) => {
        const { whenCurrent } = await window.open([bench.large.root]);
        await whenCurrent;
        await sleep(SETTLED_MS);
        const times: number[] = [];
        for (let edit = 0; edit < EDITS; edit++) {
          times.push(await timeEdit(window, [bench.large.root]));
          await sleep(BETWEEN_EDITS_MS);
        }
        return { wall: median(times) };
      }),
  },
];
