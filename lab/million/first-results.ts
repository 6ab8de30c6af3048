/** Opens folders that were never indexed as a workspace, and searches until there is a result: `FirstResults`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { FirstResults } from './points.ts';
import { answerTask, processorSeconds } from './task.ts';
import { WindowClient } from './window.ts';

const question = z.object({ roots: z.array(z.string()), dataDir: z.string() });
/** Milliseconds between two searches. */
const PAUSE = 50;

await answerTask(async (asked): Promise<FirstResults> => {
  const { roots, dataDir } = question.parse(JSON.parse(asked));
  const window = WindowClient.inProcess(dataDir);
  const started = performance.now();
  await window.open(roots);
  for (;;) {
    const { results, repository } = await window.search('error in the main function');
    if (results.length > 0)
      return {
        seconds: (performance.now() - started) / 1000,
        processorSeconds: processorSeconds(),
        chunks: repository.chunks,
      };
    await sleep(PAUSE);
  }
});
