/**
 * Indexes a repository, embeds all functions in the background as the app does, and exits, for tests that kill it while it works:
 * `node rerank-and-exit.ts <root> <data dir>`. Prints the results of reranked searches as JSON.
 */
import { BackgroundEmbedding } from '../../src/services/keeper/background-embedding.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';

export const ISSUES = [
  'parse_cookie_0 raises ValueError in pkg/module_0.py although strict is False',
  'def encode fails\n\nThe header that `check` returns is wrong: a, b.',
];

/** Result of a list. */
export type RankedResult = [address: string, score: number];

/** Searches for every issue and reranks the first results. */
export async function listRerankedResults(repository: Repository): Promise<RankedResult[][]> {
  const lists: RankedResult[][] = [];
  for (const issue of ISSUES) {
    const rerank = { count: 20 };
    const { results, reranking } = await repository.search({ issue, limit: 30, rerank });
    if (reranking.state !== 'reranked') throw new Error(`${reranking.state}: ${reranking.note}`);
    lists.push(results.map(({ address, score }) => [address, score]));
  }
  return lists;
}

/** Embeds all functions, waiting for another process that does so. */
async function embedAll(repository: Repository): Promise<void> {
  // The timer of the next attempt does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  await new Promise<void>((resolve) => {
    const embedForReranking: Repository['embedForReranking'] = async (options) => {
      const report = await repository.embedForReranking(options);
      resolve();
      return report;
    };
    const background = new BackgroundEmbedding({
      repository: async () =>
        Object.assign(Object.create(repository), { embedForReranking }) as Repository,
      isWanted: () => true,
      isFree: async () => true,
      onProgress: () => {},
      restMs: 1,
      tryAgainMs: 50,
    });
    background.wake();
  });
  clearInterval(alive);
}

if (import.meta.main) {
  const [root = '', dataDir = ''] = process.argv.slice(2);
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  await repository.index();
  const during = listRerankedResults(repository);
  await embedAll(repository);
  const lists = [await during, await listRerankedResults(repository)];
  await repository.close();
  process.stdout.write(JSON.stringify(lists), () => process.exit(0));
}
