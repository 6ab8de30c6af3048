/**
 * Measures the time to rerank in a repository. For each issue: the initial ranking, reranking, and reranking again with
 * cached embeddings. An issue is a line of a file.
 *
 *     node lab/bench/reranking.ts <folder or bare clone> <file of issues> <data directory>
 *
 * The model is `models/coret-1` in the data directory, unless one comes with Locus.
 */
import { readFileSync } from 'node:fs';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { openRepository } from '../../src/services/open-repository.ts';

const [root, file, dataDir] = process.argv.slice(2);
if (root === undefined || file === undefined)
  throw new Error('usage: reranking.ts <folder or bare clone> <file of issues> <data directory>');
const issues = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const repository = await openRepository(root, { dataDir, device: 'cpu' });
await repository.index();

const ms = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
const rows: string[][] = [];
for (const issue of issues) {
  const search = async () => (await repository.search({ issue })).reranking;
  const { tookMs } = await repository.search({ issue, rerank: { count: 0 } });
  const reranked = await search();
  const again = await search();
  rows.push([
    issue.slice(0, 40),
    ms(tookMs),
    `${reranked.count}`,
    ms(reranked.milliseconds),
    ms(again.milliseconds),
  ]);
}
await repository.close();
const head = ['issue', 'initial ranking', 'reranked', 'time', 'time with cached embeddings'];
for (const line of formatMarkdownTable(head, rows)) console.log(line);
