/** Merges the lists of several repositories into one. Pure: equal inputs give equal lists. */
import { sep } from 'node:path';
import { assertPresent } from '../../shared/assert-present.ts';
import { badInput, type LocusError, toFailure } from '../../shared/errors.ts';
import { MAX_WORDS } from '../../shared/limits.ts';
import {
  type IssueReport,
  type PartialRanking,
  type RankedChunk,
  type Reranking,
  type SearchedRepository,
  type SearchResponse,
  searchResponse,
} from '../../shared/search.ts';
import { describeUnindexed } from '../../shared/unsupported.ts';
import type { CalibratedScore } from '../../shared/workspace.ts';
import { prefixPaths } from './prefix-paths.ts';

/** Answer of one repository of a workspace. */
export interface MemberAnswer {
  name: string;
  root: string;
  /** Null if the search failed. */
  response: SearchResponse | null;
  calibratedScore: CalibratedScore | null;
  failure: LocusError | null;
}

/** Position of a result in its own list: `part` is the index of the answer, `at` the index of the result in it. */
export interface ResultPosition {
  part: number;
  at: number;
  probability: number;
}

/**
 * Orders the results of all answers. A result's probability is that of its repository (`estimateChances`) times its share in the
 * softmax of its own list, which is the probability that it is edited, given that its repository is. Both fall along a list, so
 * the results of one repository stay in order. Ties are broken by the repository's name.
 */
export function orderResults(
  parts: readonly MemberAnswer[],
  chances: readonly number[],
): ResultPosition[] {
  return parts
    .flatMap(({ response, calibratedScore }, part) => {
      const chance = chances[part] ?? 0;
      const shares = calibratedScore?.probabilities ?? [];
      const last = shares.at(-1) ?? 0;
      return (response?.results ?? []).map((_, at) => {
        return { part, at, probability: chance * (shares[at] ?? last) };
      });
    })
    .sort(
      (a, b) =>
        b.probability - a.probability ||
        compare(parts[a.part]?.name ?? '', parts[b.part]?.name ?? '') ||
        a.at - b.at,
    );
}

/**
 * Merges answers into one response.
 * @param places positions of the results to include, best first
 * @param parts answers, in the order to which the positions refer
 * @throws the first failure if there is no answer
 */
export function mergeAnswers(
  parts: readonly MemberAnswer[],
  places: readonly ResultPosition[],
  chances: readonly number[],
): SearchResponse {
  const answers = parts.flatMap(({ name, response }) => (response ? [{ name, response }] : []));
  const [first] = answers;
  if (!first) {
    const failed = parts.find(({ failure }) => failure)?.failure;
    throw failed ?? badInput('No repository was chosen.', 'Choose at least one.');
  }
  const results = places.flatMap(({ part, at, probability }, index): RankedChunk[] => {
    const answer = parts[part];
    const result = answer?.response?.results[at];
    if (!answer || !result) return [];
    return [{ ...result, rank: index + 1, repository: answer.name, probability }];
  });
  const sum = (count: (response: SearchResponse) => number) =>
    answers.reduce((total, { response }) => total + count(response), 0);
  const searched = parts
    .map((part, i) => describeSearched(part, chances[i] ?? 0, results))
    .sort((a, b) => b.chance - a.chance || compare(a.name, b.name));
  return {
    repository: {
      root: findCommonFolder(parts.map(({ root }) => root)),
      name: formatTitle(parts.map(({ name }) => name)),
      revision: null,
      files: sum(({ repository }) => repository.files),
      chunks: sum(({ repository }) => repository.chunks),
    },
    issue: mergeIssues(answers),
    model: first.response.model,
    partial: mergePartial(searched),
    considered: sum(({ considered }) => considered),
    confidence: null,
    reranking: mergeRerankings(answers.map(({ response }) => response.reranking)),
    tookMs: sum(({ tookMs }) => tookMs),
    results,
    repositories: searched,
  };
}

/** Formats a title: `requests`, `flask and requests`, `flask and 9 others`. */
export function formatTitle(names: readonly string[]): string {
  const [first = 'nothing', second, ...others] = names;
  if (second === undefined) return first;
  return others.length === 0
    ? `${first} and ${second}`
    : `${first} and ${others.length + 1} others`;
}

/** Returns the folder that contains all of these folders. */
export function findCommonFolder(roots: readonly string[]): string {
  const [parts = [], ...others] = roots.map((root) => root.split(sep).slice(0, -1));
  const length = others.reduce((shared, other) => {
    const differs = parts.findIndex((part, i) => part !== other[i]);
    return Math.min(shared, differs < 0 ? parts.length : differs);
  }, parts.length);
  return parts.slice(0, length).join(sep) || sep;
}

function describeSearched(
  { name, root, response, failure }: MemberAnswer,
  chance: number,
  results: readonly RankedChunk[],
): SearchedRepository {
  const { repository, confidence = null, partial = null } = response ?? {};
  return {
    name,
    root: repository?.root ?? root,
    revision: repository?.revision ?? null,
    files: repository?.files ?? 0,
    chunks: repository?.chunks ?? 0,
    chance,
    confidence,
    partial,
    failure: failure && toFailure(failure),
    results: results.filter((result) => result.repository === name).length,
  };
}

/** Combines what was recognized in the issue. Notes are included if all answers have them: others say what one repository lacks. */
function mergeIssues(answers: readonly { name: string; response: SearchResponse }[]): IssueReport {
  const reports = answers.map(({ name, response }) =>
    prefixPaths(searchResponse.shape.issue, response.issue, name),
  );
  const spans = <T extends { start: number; end: number }>(all: T[], join: (a: T, b: T) => T) =>
    [...Map.groupBy(all, ({ start, end }) => `${start} ${end}`).values()]
      .map((alike) => alike.reduce(join))
      .sort((a, b) => a.start - b.start || a.end - b.end);
  const unindexed = reports.flatMap((report) => report.unindexed);
  const { title, length, blocks, notes } = assertPresent(reports[0], 'what an issue names');
  const common = notes.filter((note) => reports.every((report) => report.notes.includes(note)));
  return {
    title,
    length,
    blocks,
    unindexed,
    names: spans(
      reports.flatMap(({ names }) => names),
      (a, b) => ({ ...a, definitions: a.definitions + b.definitions }),
    ),
    paths: spans(
      reports.flatMap(({ paths }) => paths),
      (a, b) => ({ ...a, files: [...a.files, ...b.files], ...joinLines(a, b) }),
    ),
    frames: spans(
      reports.flatMap(({ frames }) => frames),
      (a, b) => (a.address === null ? b : a),
    ),
    rare: [...new Set(reports.flatMap(({ rare }) => rare))].slice(0, MAX_WORDS),
    notes: [...new Set([...describeUnindexed(unindexed), ...common])],
  };
}

/** Joins the lines of a path that several repositories have. */
function joinLines(a: IssuePath, b: IssuePath): Pick<IssuePath, 'lines'> {
  const lines = a.lines ?? b.lines;
  if (!lines) return {};
  const addresses = [a, b].flatMap((path) => path.lines?.addresses ?? []);
  return { lines: { ...lines, addresses } };
}

type IssuePath = IssueReport['paths'][number];

function mergePartial(searched: readonly SearchedRepository[]): PartialRanking | null {
  // A busy repository is being opened: its results follow later.
  const partial = searched.filter((one) => one.partial || one.failure?.code === 'busy');
  if (partial.length === 0) return null;
  const names = partial.slice(0, 3).map(({ name }) => name);
  const more = partial.length > 3 ? ' and others' : '';
  const sum = (count: (partial: PartialRanking) => number) =>
    partial.reduce((total, one) => total + (one.partial ? count(one.partial) : 0), 0);
  return {
    reason: `${partial.length} of ${searched.length} repositories are not fully indexed yet: ${names.join(', ')}${more}`,
    chunks: sum(({ chunks }) => chunks),
    embedded: sum(({ embedded }) => embedded),
  };
}

function mergeRerankings(all: readonly Reranking[]): Reranking {
  const reranked = all.filter(({ state }) => state === 'reranked');
  const first = assertPresent(reranked[0] ?? all[0], 'a reranking');
  if (reranked.length === 0) return first;
  const sum = (count: (one: Reranking) => number) =>
    reranked.reduce((total, one) => total + count(one), 0);
  return {
    ...first,
    count: sum((one) => one.count),
    of: sum((one) => one.of),
    milliseconds: sum((one) => one.milliseconds),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
