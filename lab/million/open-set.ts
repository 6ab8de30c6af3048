/** Opens indexed folders as a workspace, searches, and edits: `OpenSet`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { splitMember } from '../../src/shared/workspace.ts';
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
  const window = new WindowClient(dataDir);
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

/** Adds a comment to a function. Searches when the window is notified of a change, until the result shows it. Restores the file. */
async function timeEdit(window: WindowClient, roots: readonly string[]): Promise<number> {
  // Only letters, since a word with digits is split, and some function may have the parts.
  const letters = String(Date.now()).replace(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));
  const word = `zyzzyva${letters}`;
  const { results, repositories } = await window.search('parse the value and return it', 100);
  const target = assertPresent(
    results.find(({ kind }) => kind === 'function' || kind === 'method'),
    'a function to edit',
  );
  const own = repositories?.find(({ name }) => name === target.repository);
  const place = splitMember(target.path, (name) => name === own?.name);
  const path = `${own?.root ?? roots[0]}/${place?.path ?? target.path}`;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const header = assertPresent(lines[target.endLine - 1], 'the last line of a function');
  const comment = /\.(?:py|rb)$/.test(path) ? '#' : '//';
  const [indent] = /^\s*/.exec(header) ?? [''];
  lines.splice(target.endLine - 1, 0, `${indent}${comment} ${word}`);
  try {
    const start = performance.now();
    let change = window.waitForUpdate();
    writeFileSync(path, lines.join('\n'));
    for (;;) {
      await change;
      change = window.waitForUpdate();
      // With the name, since another repository may match the word alone better.
      const { results } = await window.search(`\`${target.qualifiedName}\` ${word}`, 100);
      const found = results.some(({ address }) => address === target.address);
      if (found && (await window.readCode(target.address)).includes(word)) return seconds(start);
    }
  } finally {
    writeFileSync(path, text);
  }
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
