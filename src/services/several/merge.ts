/** One list of the lists of several repositories. Pure: equal parts make an equal list. */
import { sep } from 'node:path';
import { badInput, type LocusError, toWire } from '../../shared/errors.ts';
import { MOST_WORDS } from '../../shared/limits.ts';
import { present } from '../../shared/present.ts';
import {
  type IssueReport,
  type PartialRanking,
  type RankedChunk,
  type Refinement,
  type SearchedRepository,
  type SearchResponse,
  searchResponse,
} from '../../shared/search.ts';
import type { Standing } from '../../shared/several.ts';
import { placeResponse } from './place-response.ts';

export interface Part {
  name: string;
  root: string;
  /** Null where it failed. */
  response: SearchResponse | null;
  standing: Standing | null;
  failure: LocusError | null;
}

/** A place of the merged list: the how-manieth result of which part. */
export interface Place {
  part: number;
  at: number;
  probability: number;
}

/**
 * The order of the merged list. A result's probability is that of its repository (`chancesOf`) times its share in the
 * softmax of its own list, which is the probability of being edited given that its repository has the answer. Both fall
 * along a list, so that the results of one repository stay in their order; ties are broken by the name of the repository.
 */
export function placesOf(parts: readonly Part[], chances: readonly number[]): Place[] {
  return parts
    .flatMap(({ response, standing }, part) => {
      const chance = chances[part] ?? 0;
      const shares = standing?.shares ?? [];
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
 * @param places of the list, best first
 * @param parts in the order that the places mean
 * @throws the first failure, where no part has an answer
 */
export function merged(
  parts: readonly Part[],
  places: readonly Place[],
  chances: readonly number[],
): SearchResponse {
  const answers = parts.flatMap(({ name, response }) => (response ? [{ name, response }] : []));
  const [first] = answers;
  if (!first) {
    const failed = parts.find(({ failure }) => failure)?.failure;
    throw failed ?? badInput('no repository is to be searched', 'choose one of them');
  }
  const results = places.flatMap(({ part, at, probability }, place): RankedChunk[] => {
    const of = parts[part];
    const result = of?.response?.results[at];
    if (!of || !result) return [];
    return [{ ...result, rank: place + 1, repository: of.name, probability }];
  });
  const sum = (count: (response: SearchResponse) => number) =>
    answers.reduce((total, { response }) => total + count(response), 0);
  const searched = parts
    .map((part, i) => describe(part, chances[i] ?? 0, results))
    .sort((a, b) => b.chance - a.chance || compare(a.name, b.name));
  return {
    repository: {
      root: commonFolder(parts.map(({ root }) => root)),
      name: titleOf(parts.map(({ name }) => name)),
      revision: null,
      files: sum(({ repository }) => repository.files),
      chunks: sum(({ repository }) => repository.chunks),
    },
    issue: issueAmong(answers),
    model: first.response.model,
    partial: partialAmong(searched),
    considered: sum(({ considered }) => considered),
    confidence: null,
    refined: refinedAmong(answers.map(({ response }) => response.refined)),
    tookMs: sum(({ tookMs }) => tookMs),
    results,
    repositories: searched,
  };
}

/** `requests`, `flask and requests`, `flask and 9 others`. */
export function titleOf(names: readonly string[]): string {
  const [first = 'nothing', second, ...others] = names;
  if (second === undefined) return first;
  return others.length === 0
    ? `${first} and ${second}`
    : `${first} and ${others.length + 1} others`;
}

export function commonFolder(roots: readonly string[]): string {
  const [parts = [], ...others] = roots.map((root) => root.split(sep).slice(0, -1));
  const length = others.reduce((shared, other) => {
    const differs = parts.findIndex((part, i) => part !== other[i]);
    return Math.min(shared, differs < 0 ? parts.length : differs);
  }, parts.length);
  return parts.slice(0, length).join(sep) || sep;
}

function describe(
  { name, root, response, failure }: Part,
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
    failure: failure && toWire(failure),
    results: results.filter((result) => result.repository === name).length,
  };
}

/** What was recognised in any of them. A note is told where all have it: others say what one repository lacks. */
function issueAmong(answers: readonly { name: string; response: SearchResponse }[]): IssueReport {
  const reports = answers.map(({ name, response }) =>
    placeResponse(searchResponse.shape.issue, response.issue, name),
  );
  const spans = <T extends { start: number; end: number }>(all: T[], join: (a: T, b: T) => T) =>
    [...Map.groupBy(all, ({ start, end }) => `${start} ${end}`).values()]
      .map((alike) => alike.reduce(join))
      .sort((a, b) => a.start - b.start || a.end - b.end);
  const { title, length, blocks, unread, notes } = present(reports[0], 'what an issue names');
  return {
    title,
    length,
    blocks,
    unread,
    names: spans(
      reports.flatMap(({ names }) => names),
      (a, b) => ({ ...a, definitions: a.definitions + b.definitions }),
    ),
    paths: spans(
      reports.flatMap(({ paths }) => paths),
      (a, b) => ({ ...a, files: [...a.files, ...b.files], ...linesOfBoth(a, b) }),
    ),
    frames: spans(
      reports.flatMap(({ frames }) => frames),
      (a, b) => (a.address === null ? b : a),
    ),
    rare: [...new Set(reports.flatMap(({ rare }) => rare))].slice(0, MOST_WORDS),
    notes: notes.filter((note) => reports.every((report) => report.notes.includes(note))),
  };
}

/** Lines of a path that several repositories have are of something in each. */
function linesOfBoth(a: Named, b: Named): Pick<Named, 'lines'> {
  const lines = a.lines ?? b.lines;
  if (!lines) return {};
  const addresses = [a, b].flatMap((path) => path.lines?.addresses ?? []);
  return { lines: { ...lines, addresses } };
}

type Named = IssueReport['paths'][number];

function partialAmong(searched: readonly SearchedRepository[]): PartialRanking | null {
  // One that is busy is being opened: its results follow.
  const partial = searched.filter((one) => one.partial || one.failure?.code === 'busy');
  if (partial.length === 0) return null;
  const names = partial.slice(0, 3).map(({ name }) => name);
  const more = partial.length > 3 ? ' and others' : '';
  const sum = (count: (partial: PartialRanking) => number) =>
    partial.reduce((total, one) => total + (one.partial ? count(one.partial) : 0), 0);
  return {
    reason: `${partial.length} of ${searched.length} repositories cannot be ranked in full yet: ${names.join(', ')}${more}`,
    chunks: sum(({ chunks }) => chunks),
    embedded: sum(({ embedded }) => embedded),
  };
}

function refinedAmong(all: readonly Refinement[]): Refinement {
  const read = all.filter(({ state }) => state === 'refined');
  const first = present(read[0] ?? all[0], 'a refinement');
  if (read.length === 0) return first;
  const sum = (field: 'read' | 'of' | 'milliseconds') =>
    read.reduce((total, one) => total + one[field], 0);
  return { ...first, read: sum('read'), of: sum('of'), milliseconds: sum('milliseconds') };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
