/**
 * Measures the initial ranking and the reranked list on real issues, as users get them:
 * `npm run -s lab -- measure-reranked --dataset <jsonl> --repos <folder of clones> --out <folder> [--repo <owner/name>] [--data-dir <folder>]`
 *
 * Writes a file for each issue. A new run continues with the missing ones. `report-reranked` prints tables of the files.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import {
  buildSearchRequest,
  COMMITS_KEPT,
  findPatchedChunks,
} from '../../src/services/evaluation/evaluate.ts';
import { computeRanks } from '../../src/services/evaluation/metrics.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { ChunkSummary } from '../../src/shared/chunk.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { RankedChunk, SearchRequest, SearchResponse } from '../../src/shared/search.ts';
import { type Measured, type MeasuredList, measureOnce, type Row } from './measured.ts';

/** Number of results whose evidence is stored. */
const KEPT = 60;

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    repo: { type: 'string' },
    out: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});
const { dataset, repos, out } = values;
if (!dataset || !repos || !out) {
  console.error(
    'usage: npm run -s lab -- measure-reranked --dataset <jsonl> --repos <folder of clones> --out <folder> [--repo <owner/name>] [--data-dir <folder>]',
  );
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset).filter(
  ({ repo }) => !values.repo || repo === values.repo,
);
for (const instance of instances) {
  const root = join(repos, getCloneName(instance.repo));
  const measured = await measureOnce(out, instance.instance_id, () => measure(instance, root));
  if (measured === undefined) continue;
  console.error(`${instance.instance_id}: ${measured ? formatRanks(measured) : 'no edited chunk'}`);
}

/** Searches for an issue. Returns null if the patch edits no chunk that can be found. */
async function measure(instance: EvaluationInstance, root: string): Promise<Measured | null> {
  const repository = await openRepository(root, {
    dataDir: values['data-dir'],
    revision: instance.base_commit,
    commitsKept: COMMITS_KEPT,
    device: 'cpu',
  });
  try {
    const { seconds } = await repository.index();
    const edited = await findPatchedChunks(instance.patch, repository);
    if (edited.length === 0) return null;
    const list = (rerank: SearchRequest['rerank']) =>
      toMeasuredList(repository, { ...buildSearchRequest(instance), rerank }, edited);
    const first = await list({ count: 0 });
    const reranked = await list({});
    return {
      instance: instance.instance_id,
      repo: instance.repo,
      chunks: first.considered,
      edited: edited.map(({ address }) => address),
      seconds: { index: seconds.total },
      first: first.list,
      reranked: reranked.list,
    };
  } finally {
    await repository.close();
  }
}

async function toMeasuredList(
  repository: Repository,
  request: SearchRequest,
  edited: readonly ChunkSummary[],
): Promise<{ considered: number; list: MeasuredList }> {
  const response = await repository.search(request);
  const { reranking, results, confidence, considered, tookMs } = response;
  const addresses = new Set(edited.map(({ address }) => address));
  return {
    considered,
    list: {
      system: formatSystem(response),
      ranks: computeRanks(edited, results),
      read: reranking.count,
      milliseconds: { search: tookMs, reading: reranking.milliseconds },
      confidence,
      order: results.map(({ address }) => address),
      rows: results
        .filter(({ rank, address }) => rank <= KEPT || addresses.has(address))
        .map((result) => toRow(result, addresses)),
    },
  };
}

function formatSystem({ model, reranking }: SearchResponse): string {
  return [`${model.id} ${model.version}`, ...reranking.models, model.ranker].join(', ');
}

function toRow(
  { rank, address, reranked, score, evidence }: RankedChunk,
  edited: ReadonlySet<string>,
): Row {
  return {
    rank,
    address,
    edited: edited.has(address),
    read: reranked ?? false,
    score,
    evidence: Object.fromEntries(
      Object.entries(evidence).map(([name, { value, contribution, sentence }]) => [
        name,
        { value, contribution, sentence },
      ]),
    ),
  };
}

function formatRanks({ first, reranked }: Measured): string {
  const ranks = (list: MeasuredList) => list.ranks.chunk.map((rank) => rank ?? '–').join(' ');
  return `${ranks(first)} | ${ranks(reranked)} (${reranked.read} read)`;
}
