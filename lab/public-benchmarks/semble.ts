/** Asks the queries of semble's benchmark, in the folder of each repository that the benchmark indexes. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCloneName } from '../../src/services/evaluation/dataset.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { checkOut } from '../bench/support/check-out.ts';
import type { BenchmarkRepository, Query } from './semble-data.ts';
import {
  CUTOFF,
  computeNdcg,
  rankTargetFiles,
  rankTargetLines,
  type ShownLines,
} from './semble-metric.ts';

/** Lists that a user can get: `--fast` prints the initial one. */
export const LISTS = ['initial', 'reranked'] as const;
export type List = (typeof LISTS)[number];

/** Number of functions that are asked for. Enough to find ten files. */
const MAX_FUNCTIONS = 200;

export interface Scored {
  /** First files of the list. */
  files: string[];
  /** NDCG@10 of the files in the order in which the list shows them, of the files by all of their functions, and of the functions. */
  fileNdcg: number;
  summedNdcg: number;
  functionNdcg: number;
}

export interface Answer extends Record<List, Scored> {
  repository: string;
  query: string;
  category: string;
  /** Paths of the files that answer the query. */
  targets: string[];
  /** True if no target exists at this revision, so that no tool can score. */
  unanswerable: boolean;
}

/** Asks all queries of a repository. */
export async function askQueries(
  { name, url, revision, benchmark_root }: BenchmarkRepository,
  queries: readonly Query[],
  clones: string,
): Promise<Answer[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'locus-semble-'));
  const checkout = join(scratch, name);
  const root = benchmark_root ?? '';
  let repository: Repository | null = null;
  try {
    checkOut(findClone(clones, url), revision, checkout, benchmark_root ?? undefined);
    const options = { dataDir: join(scratch, 'data'), device: 'cpu' as const, shared: null };
    repository = await openRepository(join(checkout, root), options);
    await repository.index();
    const answers: Answer[] = [];
    for (const query of queries) {
      const lists = await search(repository, query.text);
      const targets = query.targets.map(({ path }) => path);
      answers.push({
        repository: name,
        query: query.text,
        category: query.category,
        targets,
        unanswerable: !targets.some((path) => existsSync(join(checkout, path))),
        initial: score(lists.initial, query, root),
        reranked: score(lists.reranked, query, root),
      });
    }
    return answers;
  } finally {
    await repository?.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function findClone(clones: string, url: string): string {
  const [owner, name] = url
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  return join(clones, getCloneName(`${owner}/${name}`));
}

/** Searches as a user does, with the defaults. */
async function search(
  repository: Repository,
  issue: string,
): Promise<Record<List, SearchResponse>> {
  const request = { issue, limit: MAX_FUNCTIONS };
  const initial = await repository.search({ ...request, rerank: { count: 0 } });
  return { initial, reranked: await repository.search(request) };
}

function score({ results }: SearchResponse, { targets }: Query, root: string): Scored {
  const shown = results.map((result) => ({ ...result, path: join(root, result.path) }));
  const files = rankFiles(shown);
  return {
    files: files.slice(0, CUTOFF),
    fileNdcg: computeNdcg(rankTargetFiles(files, targets)),
    summedNdcg: computeNdcg(rankTargetFiles(rankFilesBySum(shown), targets)),
    functionNdcg: computeNdcg(rankTargetLines(shown, targets)),
  };
}

/** Ranks files by their best function, as the list shows them. */
function rankFiles(results: readonly ShownLines[]): string[] {
  return [...new Set(results.map(({ path }) => path))];
}

/**
 * Ranks files by the sum of 1 / (rank + 1) over their functions, so that a file with several good functions comes before a file
 * with a single one. Files without a function among the first 50 follow, by their best function.
 */
export function rankFilesBySum(results: readonly Pick<ShownLines, 'path'>[]): string[] {
  const sums = new Map<string, number>();
  for (const [i, { path }] of results.slice(0, MAX_RERANKED).entries())
    sums.set(path, (sums.get(path) ?? 0) + 1 / (i + 2));
  const first = [...sums].sort((a, b) => b[1] - a[1]).map(([path]) => path);
  return [...new Set([...first, ...results.map(({ path }) => path)])];
}
