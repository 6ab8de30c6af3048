/**
 * Joins repositories into a workspace that answers as one repository, in which each is a folder of its name. A request for a path or an
 * address goes to its repository.
 */
import { throwIfCancelled } from '../../base/cancel.ts';
import { DamagedIndex } from '../../base/damage.ts';
import { splitAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import type { GrepResponse } from '../../shared/grep.ts';
import type { ImpactRequest } from '../../shared/impact.ts';
import { DEFAULT_GREP_RESULTS } from '../../shared/limits.ts';
import type { Anchor, AnchorMatches } from '../../shared/lists.ts';
import { MARKS } from '../../shared/marks.ts';
import { parseNameQuery, rankByName } from '../../shared/name-match.ts';
import { resolvePackage, unknownPackageError } from '../../shared/packages.ts';
import {
  mapQueries,
  QUERIES,
  QUERY_NAMES,
  type QueryName,
  type QueryNameBy,
  type QueryRequest,
  validateRequest,
} from '../../shared/queries.ts';
import { quoteText } from '../../shared/quote.ts';
import { type QueryTarget, runQuery, type SearchOptions } from '../../shared/repository.ts';
import {
  type Feedback,
  rankedChunk,
  type SearchRequest,
  type SearchResponse,
} from '../../shared/search.ts';
import { joinMember, splitMember } from '../../shared/workspace.ts';
import { joinImpacts } from './join-impacts.ts';
import { findCommonFolder, formatTitle } from './merge.ts';
import { mergeGrep } from './merge-grep.ts';
import { prefixPaths } from './prefix-paths.ts';
import { type OpenableMember, searchWorkspace } from './search.ts';
import { combineStatuses, mergePackages } from './status.ts';

export interface WorkspaceRepository extends QueryTarget {
  title: string;
}

export function joinRepositories(list: readonly OpenableMember[]): WorkspaceRepository {
  const members = new Members(list);
  const whole: Pick<QueryTarget, QueryNameBy<'repository'>> = {
    search: (request, options) => searchAll(members, request, options),
    resolveAnchors: ({ anchors }) => resolveAnchors(members, anchors),
    find: (request) => findByName(members, request),
    grep: (request, options) => grepAll(members, request, options),
    impact: async (request = {}) => {
      const answers = await members.askEach(async ({ name }, one) =>
        prefixPaths(QUERIES.impact.response, await one.impact(request), name),
      );
      return joinImpacts(answers, validateRequest('impact', request) as ImpactRequest);
    },
    status: async () => {
      const statuses = await members.askEach((_, one) => one.status());
      return combineStatuses(
        statuses,
        members.title,
        findCommonFolder(list.map(({ root }) => root)),
      );
    },
    skipped: async () => {
      const { response } = QUERIES.skipped;
      const lists = await members.askEach(async ({ name }, one) =>
        prefixPaths(response, await one.skipped(), name),
      );
      return lists.flat();
    },
  };
  const addressed = QUERY_NAMES.filter((name) => QUERIES[name].addressedBy !== 'repository');
  type Addressed = Pick<QueryTarget, QueryNameBy<'chunk' | 'path'>>;
  return {
    title: members.title,
    ...mapQueries<Addressed>(addressed, (name) => members.route(name)),
    ...whole,
  };
}

class Members {
  readonly #members: ReadonlyMap<string, OpenableMember>;

  constructor(members: readonly OpenableMember[]) {
    this.#members = new Map(members.map((member) => [member.name, member]));
  }

  get title(): string {
    return formatTitle([...this.#members.keys()]);
  }

  readonly isName = (name: string): boolean => this.#members.has(name);

  /** Returns a query that goes to the repository of its path or chunk. A name is looked for in all of them. */
  route(name: QueryName) {
    const { addressedBy, response } = QUERIES[name];
    return async (request: object, options?: object): Promise<unknown> => {
      const address = (request as Record<string, string>)[addressedBy] ?? '';
      const ask = async (member: OpenableMember, one: QueryTarget, path: string) => {
        const own = await runQuery(one, name, { ...request, [addressedBy]: path }, options);
        return prefixPaths(response, own, member.name);
      };
      const found = this.#find(address);
      if (found) return found.member.use((one) => ask(found.member, one, found.path));
      if (addressedBy === 'path') throw createNotFoundError(address);
      return this.#askAnywhere(address, (member, one) => ask(member, one, address));
    };
  }

  /** Asks every repository. Skips those that fail, but throws the first failure if all do. */
  async askEach<T>(
    ask: (member: OpenableMember, one: QueryTarget) => Promise<T>,
    members: Iterable<OpenableMember> = this.#members.values(),
  ): Promise<T[]> {
    const answers: T[] = [];
    let failure: unknown = null;
    for (const member of members) {
      try {
        answers.push(await member.use((one) => ask(member, one)));
      } catch (error) {
        if (!(error instanceof LocusError) || error instanceof DamagedIndex) throw error;
        failure ??= error;
      }
    }
    if (answers.length === 0 && failure) throw failure;
    return answers;
  }

  /** Asks for a chunk by name, which only one repository may have. */
  async #askAnywhere<T>(
    chunk: string,
    ask: (member: OpenableMember, one: QueryTarget) => Promise<T>,
  ): Promise<T> {
    const answers = await this.askEach((member, one) =>
      ask(member, one).then((answer) => [{ name: member.name, answer }], returnNoneIfMissing),
    );
    const found = answers.flat();
    const [first, ...others] = found;
    if (!first) throw createNotFoundError(chunk);
    if (others.length === 0) return first.answer;
    throw new LocusError(
      'ambiguous',
      `${quoteText(chunk)} is in several repositories: ${found.map(({ name }) => quoteText(name)).join(', ')}.`,
      `Add the name of the repository: ${quoteText(joinMember(first.name, chunk))}.`,
    );
  }

  /** @throws LocusError `bad-input` for an unknown name */
  choose(names: readonly string[] | undefined): OpenableMember[] {
    if (!names || names.length === 0) return [...this.#members.values()];
    return names.map((name) => {
      const member = this.#members.get(name);
      if (member) return member;
      const known = [...this.#members.keys()].map(quoteText).join(', ');
      throw badInput(`No repository is called ${quoteText(name)}.`, `Choose from: ${known}.`);
    });
  }

  /** Returns the repository of a path or an address, and the path in it; null for a plain name, which may be anywhere. */
  #find(path: string): { member: OpenableMember; path: string } | null {
    const own = splitMember(path, (name) => this.#members.has(name));
    const member = own && this.#members.get(own.name);
    return own && member ? { member, path: own.path } : null;
  }
}

async function searchAll(
  members: Members,
  request: SearchRequest,
  options: SearchOptions = {},
): Promise<SearchResponse> {
  const { onInitial } = options;
  const chosen = members.choose(request.repositories);
  const packages = await resolvePackages(members, chosen, request.packages ?? []);
  const response = await searchWorkspace(
    chosen,
    request,
    ({ name }) => {
      const own = packages?.get(name);
      if (packages && !own) return null;
      return createMemberRequest(members, name, own ? { ...request, packages: own } : request);
    },
    { ...options, onInitial: onInitial && ((first) => onInitial(prefixResults(first))) },
  );
  return prefixResults(response);
}

function prefixResults(response: SearchResponse): SearchResponse {
  const results = response.results.map((result) =>
    prefixPaths(rankedChunk, result, result.repository ?? ''),
  );
  return { ...response, results };
}

/**
 * Returns the packages of a request that each repository has, by its name; null if the request names none.
 * @throws LocusError `bad-input` for a package that no repository has
 */
async function resolvePackages(
  members: Members,
  chosen: readonly OpenableMember[],
  wanted: readonly string[],
): Promise<Map<string, string[]> | null> {
  if (wanted.length === 0) return null;
  const asked = await members.askEach(async ({ name }, one) => {
    const { packages } = await one.status();
    return { name, packages, own: wanted.map((each) => resolvePackage(each, packages)) };
  }, chosen);
  for (const [i, name] of wanted.entries())
    if (asked.every(({ own }) => own[i] === null))
      throw unknownPackageError(name, mergePackages(asked.map(({ packages }) => packages)));
  const meant = asked.map(({ name, own }) => [name, own.filter((one) => one !== null)] as const);
  return new Map(meant.filter(([, own]) => own.length > 0));
}

function createMemberRequest(
  members: Members,
  name: string,
  { repositories: _, paths, feedback, ...request }: SearchRequest,
): SearchRequest | null {
  const globs = paths && selectGlobs(members, name, paths);
  if (globs && globs.length === 0) return null;
  const marks = feedback && selectMarks(name, feedback);
  return { ...request, ...(globs && { paths: globs }), ...(marks && { feedback: marks }) };
}

/** Returns the globs for one repository: those that start with its name, and those without any repository's name. */
function selectGlobs({ isName }: Members, name: string, globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const own = splitMember(glob.replace(/^\.?\//, ''), isName);
    if (!own) return [glob];
    if (own.name !== name) return [];
    return [own.path === '' ? '**' : own.path];
  });
}

function selectMarks(name: string, feedback: Feedback): Feedback | null {
  const own = MARKS.flatMap((mark) => {
    const addresses = (feedback[mark] ?? []).flatMap((address) => {
      const place = splitMember(address, (one) => one === name);
      return place ? [place.path] : [];
    });
    return addresses.length > 0 ? [[mark, addresses] as const] : [];
  });
  return own.length > 0 ? Object.fromEntries(own) : null;
}

/** Resolves anchors in all repositories: a list that was exported from a single repository has no repository names. */
async function resolveAnchors(
  members: Members,
  anchors: readonly Anchor[],
): Promise<AnchorMatches[]> {
  const found = anchors.map(
    (): AnchorMatches => ({ sameAddress: null, sameContent: [], sameName: [] }),
  );
  await members.askEach(async (member, one) => {
    const asked = anchors.flatMap((anchor, i) =>
      listAnchors(member, anchor).map((own) => ({ anchor: own, i })),
    );
    const matches = prefixPaths(
      QUERIES.resolveAnchors.response,
      await one.resolveAnchors({ anchors: asked.map(({ anchor }) => anchor) }),
      member.name,
    );
    for (const [a, { i }] of asked.entries())
      found[i] = joinMatches(
        assertPresent(found[i], 'an anchor'),
        assertPresent(matches[a], 'its matches'),
      );
  });
  return found;
}

/** Returns an anchor without the member's name, if it starts with it, and as it is. */
function listAnchors({ name }: OpenableMember, anchor: Anchor): Anchor[] {
  const own = splitMember(anchor.path, (one) => one === name);
  return own ? [{ ...anchor, path: own.path }, anchor] : [anchor];
}

function joinMatches(before: AnchorMatches, more: AnchorMatches): AnchorMatches {
  // The first repository with the chunk at its address wins; another may have the same code there.
  const isSecond =
    before.sameAddress && more.sameAddress?.contentHash === before.sameAddress.contentHash;
  const second = isSecond && more.sameAddress ? [more.sameAddress] : [];
  return {
    sameAddress: before.sameAddress ?? more.sameAddress,
    sameContent: removeDuplicates([...before.sameContent, ...more.sameContent, ...second]),
    sameName: removeDuplicates([...before.sameName, ...more.sameName]),
  };
}

function removeDuplicates<T extends ChunkSummary>(chunks: readonly T[]): T[] {
  return [...new Map(chunks.map((chunk) => [chunk.address, chunk])).values()];
}

async function findByName(
  members: Members,
  request: QueryRequest<'find'>,
): Promise<ChunkSummary[]> {
  const { response } = QUERIES.find;
  const lists = await members.askEach(async ({ name }, one) => {
    const found = await one.find({ ...request, query: removeMember(request.query, name) });
    return prefixPaths(response, found, name);
  });
  return rankByName(parseNameQuery(request.query), lists.flat(), request.limit);
}

async function grepAll(
  members: Members,
  request: QueryRequest<'grep'>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<GrepResponse> {
  const { response } = QUERIES.grep;
  const asked = members.choose(undefined).flatMap((member) => {
    const paths = request.paths && selectGlobs(members, member.name, request.paths);
    return paths?.length === 0 && request.paths?.length ? [] : [{ member, paths }];
  });
  const pathsOf = new Map(asked.map(({ member, paths }) => [member, paths]));
  const answers = await members.askEach(async (member, one) => {
    const own = await one.grep({ ...request, paths: pathsOf.get(member) }, options);
    return { name: member.name, response: prefixPaths(response, own, member.name) };
  }, pathsOf.keys());
  throwIfCancelled(options.signal, 'Searching for text');
  const names = asked.map(({ member }) => member.name);
  return mergeGrep(names, answers, request.limit ?? DEFAULT_GREP_RESULTS);
}

/** Removes the name of a repository from the paths in a typed text, since the repository's own paths do not have it. */
function removeMember(typed: string, name: string): string {
  return typed.replace(/\S+/g, (term) => {
    const own = splitMember(term, (one) => one === name);
    return own ? own.path : term;
  });
}

function returnNoneIfMissing(error: unknown): [] {
  if (error instanceof LocusError && error.code === 'not-found') return [];
  throw error;
}

function createNotFoundError(what: string): LocusError {
  const path = splitAddress(what).path || what;
  return new LocusError(
    'not-found',
    `${quoteText(path)} is not in any repository of the workspace.`,
    'Start the path with the name of its repository.',
  );
}
