/** Opens indexed folders as a workspace, searches, and edits: `OpenSet`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { timeEdit } from './edit.ts';
import type { OpenSet } from './points.ts';
import { answerTask, peakMemory, processorSeconds } from './task.ts';
import { WindowClient } from './window.ts';

const question = z.object({
  roots: z.array(z.string()),
  dataDir: z.string(),
  queries: z.array(z.string()),
});
/** Milliseconds without work until idle memory is measured and watchers notice edits. */
const QUIET = 5000;

await answerTask(async (asked): Promise<OpenSet> => {
  const { roots, dataDir, queries } = question.parse(JSON.parse(asked));
  const window = WindowClient.inProcess(dataDir);
  const started = performance.now();
  const { whenCurrent } = await window.open(roots);
  await window.search(assertPresent(queries[0], 'a query'));
  const opened = seconds(started);
  const openedProcessor = processorSeconds();
  await whenCurrent;
  const whole = seconds(started);
  await sleep(QUIET);
  const before = processorSeconds();
  const search: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    await window.search(query);
    search.push(seconds(start));
  }
  const searchProcessor = (processorSeconds() - before) / queries.length;
  await sleep(QUIET);
  const idleMemory = process.memoryUsage().rss / 2 ** 20;
  const beforeEdit = processorSeconds();
  const edit = await timeEdit(window, roots);
  const editProcessor = processorSeconds() - beforeEdit;
  return {
    opened,
    openedProcessor,
    current: whole,
    search,
    searchProcessor,
    edit,
    editProcessor,
    idleMemory,
    peakMemory: peakMemory(),
  };
});

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
