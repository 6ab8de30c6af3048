/** Replays one fix: searches the repository as it was before the fix, and finds the ranks of the functions that the fix edits. */
import {
  type FixCandidate,
  type FixEdits,
  type Rejection,
  readFixEdits,
} from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../../shared/search.ts';
import { buildSearchRequest, findCandidatesEdited, nameSystem } from '../evaluation/evaluate.ts';
import { computeRanks } from '../evaluation/metrics.ts';
import type { OpenRepositoryOptions } from '../open-repository.ts';
import { findPackage } from './areas.ts';
import { buildQuery } from './query.ts';

export interface ReplayedFix {
  commit: string;
  /** Committer's time, in seconds since 1970. */
  time: number;
  /** First line of the text that was searched for. */
  title: string;
  system: string;
  /** Addresses of the edited functions. */
  edited: string[];
  /** Their files, one for each edited function. */
  paths: string[];
  /** Packages of the edited functions that are in one. See `findPackage`. */
  packages: string[];
  /** Ranks of the edited functions, from 1; null for one that is not in the list. */
  initial: (number | null)[];
  /** Ranks in the reranked list; null if nothing was reranked. */
  reranked: (number | null)[] | null;
}

export interface ReplayOptions {
  open(root: string, options: OpenRepositoryOptions): Promise<Repository>;
  openOptions: OpenRepositoryOptions;
  /** Brings the index of a commit up to date. */
  index(repository: Repository): Promise<unknown>;
  rerank?: SearchRequest['rerank'];
  signal?: AbortSignal | undefined;
}

/** Minimum length of a text in characters; a shorter one says too little. */
export const MIN_TEXT = 25;
/** Maximum number of functions that a fix edits. */
export const MAX_EDITED = 8;

/**
 * Replays a fix, or returns the reason why it is left out.
 * @throws errors of the engine, except those of files or commits that are missing
 */
export async function replayFix(
  root: string,
  candidate: FixCandidate,
  options: ReplayOptions,
): Promise<ReplayedFix | Rejection> {
  const { open, openOptions, signal } = options;
  let repository: Repository | null = null;
  try {
    const fix = await readFixEdits(root, candidate, signal);
    if (!fix || fix.edits.size === 0) return 'unreadable';
    if (fix.formattingOnly) return 'formatting only';
    // Held out in time: the files before the fix, the history up to there, and nothing from other indexes.
    repository = await open(root, { ...openOptions, revision: candidate.parent, shared: null });
    await options.index(repository);
    return await searchForFix(repository, candidate, fix, options);
  } catch (error) {
    if (error instanceof LocusError && error.code === 'bad-repository') return 'unreadable';
    throw error;
  } finally {
    await repository?.close();
  }
}

async function searchForFix(
  repository: Repository,
  candidate: FixCandidate,
  { edits, names }: FixEdits,
  { rerank, signal }: ReplayOptions,
): Promise<ReplayedFix | Rejection> {
  const edited = await findCandidatesEdited(edits, repository, (lines) => lines);
  if (edited.length === 0) return 'no chunk edited';
  if (edited.length > MAX_EDITED) return 'too many chunks';
  const { message, isIssue, commit, time } = candidate;
  const text = isIssue
    ? message
    : buildQuery(message, await listIntroduced(names, message, repository));
  if (text.length < (isIssue ? 1 : MIN_TEXT)) return 'short message';
  const request = { ...buildSearchRequest({ problem_statement: text }), ...(rerank && { rerank }) };
  let initial: SearchResponse | null = null;
  const onInitial = (response: SearchResponse) => {
    initial = response;
  };
  const final = await repository.search(request, { signal, onInitial });
  const rank = ({ results }: SearchResponse) => computeRanks(edited, results).chunk;
  const paths = edited.map(({ path }) => path);
  const { packages } = await repository.status();
  return {
    commit,
    time,
    title: text.split('\n', 1)[0] ?? '',
    system: nameSystem(final),
    edited: edited.map(({ address }) => address),
    paths,
    packages: paths.flatMap((path) => findPackage(path, packages) ?? []),
    initial: rank(initial ?? final),
    reranked: final.reranking.count > 0 ? rank(final) : null,
  };
}

/** Returns the names in a message that no function had before the fix. */
async function listIntroduced(
  names: readonly string[],
  message: string,
  repository: Repository,
): Promise<string[]> {
  const introduced: string[] = [];
  for (const name of names.filter((each) => message.includes(each))) {
    const found = await repository.find({ query: name.slice(0, MAX_NAME) });
    if (!found.some((chunk) => chunk.name === name)) introduced.push(name);
  }
  return introduced;
}

/** Maximum length of a name that is looked up. */
const MAX_NAME = 1000;
