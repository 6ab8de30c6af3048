/** Searches for issues in their repositories at the commit before the fix, and compares the results with the fix. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import {
  findEditedChunks,
  findEdits,
  groupHunks,
  type LineEdit,
} from '../../base/edited-chunks.ts';
import type { CheckOutcome } from '../../shared/check.ts';
import { sortByCheck } from '../../shared/checked-order.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { DEFINITION_KINDS } from '../../shared/chunk-kind.ts';
import { LocusError } from '../../shared/errors.ts';
import type { IndexReport } from '../../shared/indexing.ts';
import { MAX_RESULTS } from '../../shared/limits.ts';
import type { Repository } from '../../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../../shared/search.ts';
import type { CheckableRanking } from '../check/candidates.ts';
import { searchText } from '../check/look-again.ts';
import type { OpenRepositoryOptions } from '../open-repository.ts';
import { type CheckSummary, summarizeCheck } from './check-summary.ts';
import { type EvaluationInstance, getCloneName } from './dataset.ts';
import { type FileOutcome, findFileOutcome, readFileOrNull } from './file-ranks.ts';
import { computeRanks, type LevelRanks } from './metrics.ts';

/** Number of commits whose snapshots a store keeps: enough for a whole data set, so that each commit is indexed once. */
export const COMMITS_KEPT = 10_000;

export interface InstanceOutcome {
  instance: string;
  repo: string;
  /** Encoder, reranker models and ranker, with their versions. */
  system: string;
  chunks: number;
  edited: string[];
  ranks: LevelRanks;
  seconds: { index: number; search: number };
  /** The check by a language model, if the ranks are those of the checked order. */
  check?: CheckSummary;
}

export interface SkippedInstance {
  instance: string;
  repo: string;
  reason: 'no edited chunk' | 'no clone' | 'cannot be opened';
  detail?: string;
}

export interface FinishedIssue {
  outcome: InstanceOutcome | SkippedInstance;
  /** Outcome for all edited files; null if none counts. */
  edited: FileOutcome | null;
}

export interface Evaluation {
  outcomes: InstanceOutcome[];
  /** Ranks of all edited files. Includes issues without an edited chunk. */
  files: FileOutcome[];
  leftOut: SkippedInstance[];
}

export interface EvaluationOptions {
  /** Folder with a clone of each repository, named `owner__name`. */
  repos: string;
  open(root: string, options: OpenRepositoryOptions): Promise<Repository>;
  openOptions?: OpenRepositoryOptions;
  signal?: AbortSignal;
  /** Limits of the reranker; users' defaults when omitted. */
  rerank?: SearchRequest['rerank'];
  /** Lets a language model check each list. The ranks are then those of the checked order. */
  check?:
    | ((ranking: CheckableRanking & { repository: Repository }) => Promise<CheckOutcome>)
    | undefined;
  /** Issues that were finished before, to which the others are added. */
  finished?: {
    find(instance: EvaluationInstance): FinishedIssue | null;
    add(instance: EvaluationInstance, finished: FinishedIssue): void;
  } | null;
  /** Called for each issue that is evaluated now. */
  onOutcome?(outcome: InstanceOutcome | SkippedInstance, done: number): void;
}

/** Evaluates the instances one after another. Skips missing clones and commits; other errors of the engine are thrown. */
export async function evaluate(
  instances: readonly EvaluationInstance[],
  options: EvaluationOptions,
): Promise<Evaluation> {
  const outcomes: InstanceOutcome[] = [];
  const files: FileOutcome[] = [];
  const leftOut: SkippedInstance[] = [];
  for (const [i, instance] of instances.entries()) {
    throwIfCancelled(options.signal, 'The evaluation');
    const known = options.finished?.find(instance);
    const { outcome, edited } = known ?? (await evaluateInstance(instance, options));
    if ('reason' in outcome) leftOut.push(outcome);
    else outcomes.push(outcome);
    if (edited) files.push(edited);
    if (known) continue;
    options.finished?.add(instance, { outcome, edited });
    options.onOutcome?.(outcome, i + 1);
  }
  return { outcomes, files, leftOut };
}

interface IndexedRepository extends Pick<IndexReport, 'seconds'> {
  repository: Repository;
  root: string;
}

/** Returns the outcome for the edited chunks, and that for all edited files; null if none counts. */
async function evaluateInstance(
  instance: EvaluationInstance,
  options: EvaluationOptions,
): Promise<FinishedIssue> {
  const { repos, open, openOptions, signal } = options;
  const { instance_id, repo, base_commit } = instance;
  const skip = (reason: SkippedInstance['reason'], detail?: string) => {
    const outcome = {
      instance: instance_id,
      repo,
      reason,
      ...(detail !== undefined && { detail }),
    };
    return { outcome, edited: null };
  };
  const root = join(repos, getCloneName(repo));
  if (!existsSync(root)) return skip('no clone');
  const repository = await open(root, { ...openOptions, revision: base_commit }).catch(
    returnIfMissing,
  );
  if (repository instanceof LocusError) return skip('cannot be opened', repository.message);
  try {
    const { seconds } = await repository.index({ signal });
    const outcome = await evaluateChunks(instance, { repository, root, seconds }, options);
    return { outcome, edited: await findFileOutcome(instance, repository, options) };
  } finally {
    await repository.close();
  }
}

/** Searches an indexed repository for the issue, and finds the ranks of the edited chunks. */
async function evaluateChunks(
  instance: EvaluationInstance,
  { repository, root, seconds }: IndexedRepository,
  { signal, rerank, check }: EvaluationOptions,
): Promise<InstanceOutcome | SkippedInstance> {
  const { instance_id, repo, patch } = instance;
  const edited = await findPatchedChunks(patch, repository);
  if (edited.length === 0) return { instance: instance_id, repo, reason: 'no edited chunk' };
  const request = { ...buildSearchRequest(instance), ...(rerank && { rerank }) };
  const response = await repository.search(request, { signal });
  const { results } = response;
  const issue = instance.problem_statement;
  const outcome =
    check &&
    (await check({
      repository,
      root,
      issue,
      results,
      frames: response.issue.frames,
      search: searchText(repository, request),
    }));
  const addresses = edited.map(({ address }) => address);
  return {
    instance: instance_id,
    repo,
    system: nameSystem(response),
    chunks: response.considered,
    edited: addresses,
    ranks: computeRanks(edited, outcome ? sortByCheck(results, outcome) : results),
    seconds: { index: seconds.total, search: response.tookMs / 1000 },
    ...(outcome && {
      check: summarizeCheck(outcome, {
        results,
        edited: addresses,
        before: computeRanks(edited, results),
      }),
    }),
  };
}

export function buildSearchRequest({
  problem_statement,
}: Pick<EvaluationInstance, 'problem_statement'>): SearchRequest {
  return {
    issue: problem_statement,
    limit: MAX_RESULTS,
    tests: 'exclude',
    kinds: [...DEFINITION_KINDS],
  };
}

/** Names the encoder, the reranker models and the ranker of a list, with their versions. */
export function nameSystem({
  model,
  reranking,
}: Pick<SearchResponse, 'model' | 'reranking'>): string {
  const rerankers = reranking.count > 0 ? reranking.models : [];
  return [`${model.id} ${model.version}`, ...rerankers, model.ranker].join(', ');
}

export async function findPatchedChunks(
  patch: string,
  repository: Repository,
): Promise<ChunkSummary[]> {
  return findCandidatesEdited(groupHunks(patch), repository, findEdits);
}

/**
 * Returns the candidates that a fix edits, file by file.
 * @param changes changes by path
 * @param toEdits returns the edited lines of a file
 */
export async function findCandidatesEdited<T>(
  changes: ReadonlyMap<string, T>,
  repository: Repository,
  toEdits: (changes: T, text: string) => LineEdit[],
): Promise<ChunkSummary[]> {
  const edited: ChunkSummary[] = [];
  for (const [path, change] of changes) {
    const file = await readFileOrNull(repository, path);
    if (!file) continue;
    const chunks = findEditedChunks(file.chunks, toEdits(change, file.text));
    edited.push(...[...chunks].filter(isCandidateChunk));
  }
  return edited;
}

/** Returns true for functions, methods and classes of files with the role `source`. */
export function isCandidateChunk({ kind, role }: Pick<ChunkSummary, 'kind' | 'role'>): boolean {
  return role === 'source' && DEFINITION_KINDS.includes(kind);
}

/** Returns the error of a repository or commit that does not exist; the instance is then skipped. Throws any other error. */
function returnIfMissing(error: unknown): LocusError {
  if (error instanceof LocusError && error.code === 'bad-repository') return error;
  throw error;
}
