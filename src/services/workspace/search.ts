/** Searches the repositories of a workspace one after another, and merges their lists. */
import { throwIfCancelled } from '../../base/cancel.ts';
import { DamagedIndex } from '../../base/damage.ts';
import { SEARCH_PRIORITY } from '../../base/priority-gate.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import type { IndexProgress } from '../../shared/indexing.ts';
import { DEFAULT_RESULTS, MAX_RERANKED } from '../../shared/limits.ts';
import type { QueryTarget, SearchOptions } from '../../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../../shared/search.ts';
import type { CalibratedScore } from '../../shared/workspace.ts';
import { estimateChances } from './chance.ts';
import { type MemberAnswer, mergeAnswers, orderResults, type ResultPosition } from './merge.ts';

export interface OpenableMember {
  /** Unique name, see `nameRepositories`. */
  name: string;
  root: string;
  /** True if it stays open between searches: an estimate is then cheap, and no search waits for indexing. */
  staysOpen: boolean;
  /**
   * Runs a task with the open repository. One that does not stay open may be updated first. Rejects with a `LocusError` if it cannot
   * be opened.
   */
  use<T>(run: (repository: QueryTarget) => Promise<T>): Promise<T>;
}

/**
 * Minimum probability of a repository to be ranked once the list is full. Less likely ones, which are most of thirty repositories,
 * could only change ranks that do not matter.
 */
const MIN_CHANCE = 0.01;

/** Maximum number of repositories whose results are reranked: those with the most first results. Each loads models of its own. */
const MAX_READING = 3;

/**
 * Searches all members one after another, and merges the results. Members that stay open are only ranked if they can have a result in
 * the list. A failed member is reported in `repositories`, and the others still answer. If reranker models are installed, they
 * then rerank the first results of the merged list within each repository, whose results keep their ranks as a group.
 * @param requestFor returns the request for a member; null skips it
 * @throws LocusError the first member's error if all failed; `cancelled` if the signal aborts or a newer search replaced this
 * one. `DamagedIndex` is not caught, so that the keeper can recover.
 */
export function searchWorkspace(
  ...asked: Parameters<typeof searchMembers>
): Promise<SearchResponse> {
  const [members] = asked;
  // Members that stay open are searched without interruption. Otherwise, members may be indexed between searches, and indexing pauses
  // for whoever holds this lock, so only each single search holds it.
  return members.every(({ staysOpen }) => staysOpen)
    ? SEARCH_PRIORITY.run(() => searchMembers(...asked))
    : searchMembers(...asked);
}

async function searchMembers(
  members: readonly OpenableMember[],
  request: SearchRequest,
  requestFor: (member: OpenableMember) => SearchRequest | null,
  { onInitial, onProgress, signal }: SearchOptions = {},
): Promise<SearchResponse> {
  const asked = members.flatMap((member) => {
    const own = requestFor(member);
    return own ? [{ member, own }] : [];
  });
  const limit = request.limit ?? DEFAULT_RESULTS;
  const { parts, chances, places } = await rankMembers(asked, limit, signal);
  const first = mergeAnswers(parts, places, chances);
  const counts = countToRerank(parts, places, request);
  if (counts.size === 0) return withoutReranking(first, request);
  const all = sum(counts.values());
  onInitial?.({ ...first, reranking: { ...first.reranking, state: 'reranking', of: all } });
  const deadline = request.rerank?.deadlineMs ?? null;
  let reranked = 0;
  for (const [i, count] of counts) {
    const target = assertPresent(asked[i], 'a member to rerank');
    // Each member gets its share of the time.
    const deadlineMs = deadline === null ? null : Math.ceil((deadline * count) / all);
    const own: SearchRequest = { ...target.own, rerank: { count, deadlineMs } };
    const before = parts[i]?.response?.results.length;
    const onOwnProgress = (progress: IndexProgress) =>
      onProgress?.({ ...progress, done: reranked + progress.done, total: all });
    const options = { signal, onProgress: onOwnProgress };
    const again = await searchOne(target.member, own, options, () => before);
    reranked += count;
    // If the repository changed meanwhile, its positions no longer apply.
    if (before === again.response?.results.length) parts[i] = again;
  }
  return mergeAnswers(parts, places, chances);
}

interface Asked {
  member: OpenableMember;
  own: SearchRequest;
}

/**
 * Computes the initial rankings of all members that can have a result among the first `limit`. Ranks the most likely member first, until
 * no other member can be more likely than the last result, or than `MIN_CHANCE`. The estimate is an upper bound of a member's
 * probability. The comparison stays valid whatever the others turn out to be, since that scales all probabilities by one factor.
 */
async function rankMembers(asked: readonly Asked[], limit: number, signal?: AbortSignal) {
  const parts: MemberAnswer[] = [];
  const ask = ({ member, own }: Asked, estimateOnly: boolean, wanted?: CountResults) => {
    throwIfCancelled(signal, 'The search');
    return searchOne(member, { ...own, rerank: { count: 0 } }, { estimateOnly, signal }, wanted);
  };
  const isEstimatedFirst = ({ member }: Asked) => member.staysOpen && asked.length > 1;
  for (const one of asked) parts.push(await ask(one, isEstimatedFirst(one)));
  const left = new Set(
    asked.flatMap((one, i) => (isEstimatedFirst(one) && parts[i]?.response ? [i] : [])),
  );
  for (;;) {
    const chances = estimateChances(parts);
    const places = orderResults(parts, chances).slice(0, limit);
    const chanceOf = (i: number) => chances[i] ?? 0;
    const [next] = [...left].sort((a, b) => chanceOf(b) - chanceOf(a) || a - b);
    const isFull = places.length === limit;
    const least = Math.max(places.at(-1)?.probability ?? 0, MIN_CHANCE);
    if (next === undefined || (isFull && chanceOf(next) < least)) return { parts, chances, places };
    left.delete(next);
    const one = assertPresent(asked[next], 'an estimated member');
    parts[next] = await ask(one, false, (calibratedScore) =>
      countNeeded(next, calibratedScore, parts, limit),
    );
  }
}

/** Returns how many results a ranking with these calibrated scores has to include; all up to the limit if undefined. */
type CountResults = (calibratedScore: CalibratedScore | null) => number | undefined;

/** Counts the first results of one answer that can be among the first `limit` of the merged list. */
function countNeeded(
  i: number,
  calibratedScore: CalibratedScore | null,
  parts: readonly MemberAnswer[],
  limit: number,
): number {
  const others = parts.map((part, at) =>
    at === i ? { ...part, calibratedScore, response: null } : part,
  );
  const chances = estimateChances(others);
  const last = orderResults(others, chances)[limit - 1]?.probability ?? 0;
  const shares = calibratedScore?.probabilities ?? [];
  // Allows for rounding: the same quotient of probabilities differs a little when they are added up again.
  const least = last * (1 - 1e-9);
  const cutoff = shares.findIndex((share) => (chances[i] ?? 0) * share < least);
  return cutoff < 0 ? limit : Math.min(cutoff, limit);
}

/** Returns the initial ranking, and says why it was not reranked. */
function withoutReranking(response: SearchResponse, { rerank }: SearchRequest): SearchResponse {
  const { reranking } = response;
  if (rerank?.count === 0 || reranking.models.length > 0) return response;
  return { ...response, reranking: { ...reranking, state: 'missing' } };
}

async function searchOne(
  { name, root, use }: OpenableMember,
  request: SearchRequest,
  options: SearchOptions,
  wanted?: CountResults,
): Promise<MemberAnswer> {
  let calibratedScore: CalibratedScore | null = null;
  try {
    const response = await use((repository) =>
      repository.search(request, {
        ...options,
        singlePass: true,
        onCalibratedScore: (calibrated) => {
          calibratedScore = calibrated;
          return wanted?.(calibrated);
        },
      }),
    );
    return { name, root, response, calibratedScore, failure: null };
  } catch (error) {
    const isReported = error instanceof LocusError && !(error instanceof DamagedIndex);
    if (!isReported || isCancelled(error)) throw error;
    return { name, root, response: null, calibratedScore: null, failure: error };
  }
}

/** Counts the results to rerank in each answer: as many as it has among the first of the merged list. */
function countToRerank(
  parts: readonly MemberAnswer[],
  places: readonly ResultPosition[],
  { rerank }: SearchRequest,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { part } of places.slice(0, rerank?.count ?? MAX_RERANKED))
    counts.set(part, (counts.get(part) ?? 0) + 1);
  const readable = [...counts].filter(([i, count]) => {
    const models = parts[i]?.response?.reranking.models ?? [];
    return models.length > 0 && count > 1;
  });
  return new Map(readable.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MAX_READING));
}

const sum = (numbers: Iterable<number>): number =>
  Iterator.from(numbers).reduce((total, one) => total + one, 0);
