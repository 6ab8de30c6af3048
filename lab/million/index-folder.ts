/** Indexes one folder: `IndexedFolder`. */

import { z } from 'zod';
import { isIndexedPath, openTree } from '../../src/engine/lab.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { IndexedFolder } from './points.ts';
import { answerTask, peakMemory, processorSeconds } from './task.ts';

const question = z.object({ root: z.string(), dataDir: z.string() });

await answerTask(async (asked): Promise<IndexedFolder> => {
  const { root, dataDir } = question.parse(JSON.parse(asked));
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  const before = processorSeconds();
  const { seconds, files, chunks } = await repository.index();
  const processor = processorSeconds() - before;
  const { chunksByKind, databaseBytes } = await repository.status();
  const peak = peakMemory();
  await repository.close();
  return {
    root,
    files,
    chunks,
    functions: chunksByKind.function + chunksByKind.method,
    megabytes: await measureMegabytes(root),
    seconds: seconds.total,
    processorSeconds: processor,
    phases: seconds.phases,
    peakMemory: peak,
    database: databaseBytes / 2 ** 20,
  };
});

async function measureMegabytes(root: string): Promise<number> {
  const tree = await openTree(root, {});
  const { entries } = await tree.list(isIndexedPath);
  await tree.close();
  return entries.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
