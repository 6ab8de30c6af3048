/**
 * Collects the trials from which the comparison of repositories is fitted and measured. Each issue is searched in ten
 * repositories of a workspace, its own at the commit before the fix and the others at one fixed commit each. Nothing is reranked.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import {
  COMMITS_KEPT,
  findPatchedChunks,
  isCandidateChunk,
} from '../../src/services/evaluation/evaluate.ts';
import { computeRanks, type LevelRanks } from '../../src/services/evaluation/metrics.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { ChunkKind } from '../../src/shared/chunk-kind.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { CalibratedScore } from '../../src/shared/workspace.ts';

/** Search for one issue in all repositories. */
export interface Trial {
  instance: string;
  /** Repository of the issue, `owner/name`. */
  repo: string;
  issue: string;
  /** Ranks of the edited chunks in the list of their own repository alone. */
  alone: LevelRanks['chunk'];
  /** Calibrated score and confidence of each repository, by `owner/name`; null if nothing was found. */
  standings: Record<string, { calibratedScore: CalibratedScore | null; confidence: number | null }>;
}

export interface CollectOptions {
  dataset: string;
  /** Folder of clones, `owner__name`. */
  repos: string;
  /** Repositories of the workspace, `owner/name`. */
  together: readonly string[];
  /** Maximum number of issues of each repository, evenly spread. */
  each: number;
  dataDir?: string;
  /** True to use existing indexes only. */
  readOnly?: boolean;
  /** File to save trials in. */
  samples?: string;
}

const KINDS: ChunkKind[] = ['function', 'method', 'class'];
const LIMIT = 1000;

/** Returns the trials of a data set, or reads those that an earlier run saved. */
export async function collectTrials(options: CollectOptions): Promise<Trial[]> {
  const { samples } = options;
  if (samples && existsSync(samples)) return JSON.parse(readFileSync(samples, 'utf8'));
  const instances = parseDataset(readFileSync(options.dataset, 'utf8'), options.dataset);
  const chosen = options.together.flatMap((repo) =>
    spread(
      instances.filter((instance) => instance.repo === repo),
      options.each,
    ),
  );
  const others = new Map<string, Repository>();
  const trials: Trial[] = [];
  try {
    for (const repo of options.together) {
      const first = chosen.find((instance) => instance.repo === repo);
      if (first) others.set(repo, await openIndexed(first, options));
    }
    for (const instance of chosen) {
      const trial = await makeTrial(instance, others, options);
      console.error(`${instance.instance_id}${trial ? '' : ': skipped, no edited function'}`);
      if (trial) trials.push(trial);
    }
  } finally {
    for (const repository of others.values()) await repository.close();
  }
  if (samples) writeFileSync(samples, JSON.stringify(trials));
  return trials;
}

async function makeTrial(
  instance: EvaluationInstance,
  others: ReadonlyMap<string, Repository>,
  options: CollectOptions,
): Promise<Trial | null> {
  const own = await openIndexed(instance, options);
  try {
    const edited = (await findPatchedChunks(instance.patch, own)).filter(isCandidateChunk);
    if (edited.length === 0) return null;
    const standings: Trial['standings'] = {};
    let alone: LevelRanks['chunk'] = [];
    for (const [repo, repository] of others) {
      const isOwn = repo === instance.repo;
      let calibratedScore: CalibratedScore | null = null;
      const { results, confidence } = await (isOwn ? own : repository).search(
        {
          issue: instance.problem_statement,
          limit: isOwn ? LIMIT : 1,
          tests: 'exclude',
          kinds: KINDS,
          rerank: { count: 0 },
        },
        {
          onCalibratedScore: (told) => {
            calibratedScore = told;
          },
        },
      );
      standings[repo] = { calibratedScore, confidence };
      if (isOwn) alone = computeRanks(edited, results).chunk;
    }
    const { instance_id, repo, problem_statement } = instance;
    return { instance: instance_id, repo, issue: problem_statement, alone, standings };
  } finally {
    await own.close();
  }
}

async function openIndexed(
  { repo, base_commit }: EvaluationInstance,
  { repos, dataDir, readOnly }: CollectOptions,
): Promise<Repository> {
  const repository = await openRepository(join(repos, getCloneName(repo)), {
    revision: base_commit,
    dataDir,
    device: 'cpu',
    commitsKept: COMMITS_KEPT,
    readOnly,
  });
  if (!readOnly) await repository.index();
  const { state } = await repository.status();
  if (state !== 'complete')
    throw new Error(`${repo} at ${base_commit} is not indexed. Run without --read-only.`);
  return repository;
}

/** Returns `count` items at equal distances. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return items.filter(
    (_, i) =>
      Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  );
}
