/**
 * Several repositories that answer as one: as if they were folders of a tree, each under its name. A request for a path or
 * an address goes to its own repository.
 */
import { DamagedIndex } from '../../base/damage.ts';
import { splitAddress } from '../../shared/address.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import type { Anchor, AnchorMatches } from '../../shared/lists.ts';
import { MARKS } from '../../shared/marks.ts';
import { packageMeant, unknownPackage } from '../../shared/packages.ts';
import { present } from '../../shared/present.ts';
import {
  mapQueries,
  QUERIES,
  QUERY_NAMES,
  type QueryName,
  type QueryNameBy,
  type RequestOf,
} from '../../shared/queries.ts';
import { quoted } from '../../shared/quoted.ts';
import { type Answering, askQuery, type SearchOptions } from '../../shared/repository.ts';
import {
  type Feedback,
  rankedChunk,
  type SearchRequest,
  type SearchResponse,
} from '../../shared/search.ts';
import { among, apart } from '../../shared/several.ts';
import { commonFolder, titleOf } from './merge.ts';
import { placeResponse } from './place-response.ts';
import { type Member, searchSeveral } from './search.ts';
import { packagesAmong, statusOf } from './status.ts';

export interface SeveralRepositories extends Answering {
  title: string;
}

export function joinRepositories(list: readonly Member[]): SeveralRepositories {
  const members = new Members(list);
  const whole: Pick<Answering, QueryNameBy<'repository'>> = {
    search: (request, options) => searchAll(members, request, options),
    resolveAnchors: ({ anchors }) => resolveAnchors(members, anchors),
    find: (request) => findByName(members, request),
    status: async () => {
      const statuses = await members.askEach((_, one) => one.status());
      return statusOf(statuses, members.title, commonFolder(list.map(({ root }) => root)));
    },
    skipped: async () => {
      const { response } = QUERIES.skipped;
      const lists = await members.askEach(async ({ name }, one) =>
        placeResponse(response, await one.skipped(), name),
      );
      return lists.flat();
    },
  };
  const addressed = QUERY_NAMES.filter((name) => QUERIES[name].addressedBy !== 'repository');
  type Addressed = Pick<Answering, QueryNameBy<'chunk' | 'path'>>;
  return {
    title: members.title,
    ...mapQueries<Addressed>(addressed, (name) => members.route(name)),
    ...whole,
  };
}

class Members {
  readonly #members: ReadonlyMap<string, Member>;

  constructor(members: readonly Member[]) {
    this.#members = new Map(members.map((member) => [member.name, member]));
  }

  get title(): string {
    return titleOf([...this.#members.keys()]);
  }

  readonly isName = (name: string): boolean => this.#members.has(name);

  /** Returns a query that asks the repository of its path or chunk; a name may be in any of them. */
  route(name: QueryName) {
    const { addressedBy, response } = QUERIES[name];
    return async (request: object, options?: object): Promise<unknown> => {
      const address = (request as Record<string, string>)[addressedBy] ?? '';
      const ask = async (member: Member, one: Answering, path: string) => {
        const own = await askQuery(one, name, { ...request, [addressedBy]: path }, options);
        return placeResponse(response, own, member.name);
      };
      const found = this.#find(address);
      if (found) return found.member.use((one) => ask(found.member, one, found.path));
      if (addressedBy === 'path') throw notFound(address);
      return this.#askAnywhere(address, (member, one) => ask(member, one, address));
    };
  }

  /** Asks every repository that can be asked; throws the first failure where none can. */
  async askEach<T>(
    ask: (member: Member, one: Answering) => Promise<T>,
    members: Iterable<Member> = this.#members.values(),
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

  /** Asks the only repository that has the chunk of a name. */
  async #askAnywhere<T>(
    chunk: string,
    ask: (member: Member, one: Answering) => Promise<T>,
  ): Promise<T> {
    const answers = await this.askEach((member, one) =>
      ask(member, one).then((answer) => [{ name: member.name, answer }], noneIfMissing),
    );
    const found = answers.flat();
    const [first, ...others] = found;
    if (!first) throw notFound(chunk);
    if (others.length === 0) return first.answer;
    throw new LocusError(
      'ambiguous',
      `${quoted(chunk)} is in ${found.map(({ name }) => quoted(name)).join(' and in ')}`,
      `name the repository too: ${quoted(among(first.name, chunk))}`,
    );
  }

  /** @throws LocusError `bad-input` for a name that none of them has */
  choose(names: readonly string[] | undefined): Member[] {
    if (!names || names.length === 0) return [...this.#members.values()];
    return names.map((name) => {
      const member = this.#members.get(name);
      if (member) return member;
      const known = [...this.#members.keys()].map(quoted).join(', ');
      throw badInput(`no repository here is called ${quoted(name)}`, `choose of ${known}`);
    });
  }

  /** Returns the repository of a path or an address, and its path there; null for a name, which may be anywhere. */
  #find(path: string): { member: Member; path: string } | null {
    const own = apart(path, (name) => this.#members.has(name));
    const member = own && this.#members.get(own.name);
    return own && member ? { member, path: own.path } : null;
  }
}

async function searchAll(
  members: Members,
  request: SearchRequest,
  options: SearchOptions = {},
): Promise<SearchResponse> {
  const { onFirst } = options;
  const chosen = members.choose(request.repositories);
  const packages = await packagesMeant(members, chosen, request.packages ?? []);
  const response = await searchSeveral(
    chosen,
    request,
    ({ name }) => {
      const own = packages?.get(name);
      if (packages && !own) return null;
      return requestFor(members, name, own ? { ...request, packages: own } : request);
    },
    { ...options, onFirst: onFirst && ((first) => onFirst(placeResults(first))) },
  );
  return placeResults(response);
}

function placeResults(response: SearchResponse): SearchResponse {
  const results = response.results.map((result) =>
    placeResponse(rankedChunk, result, result.repository ?? ''),
  );
  return { ...response, results };
}

/**
 * Returns the packages of a request that each repository has, by its name; null where none are chosen.
 * @throws LocusError `bad-input` for one that none of them has
 */
async function packagesMeant(
  members: Members,
  chosen: readonly Member[],
  wanted: readonly string[],
): Promise<Map<string, string[]> | null> {
  if (wanted.length === 0) return null;
  const asked = await members.askEach(async ({ name }, one) => {
    const { packages } = await one.status();
    return { name, packages, own: wanted.map((each) => packageMeant(each, packages)) };
  }, chosen);
  for (const [i, name] of wanted.entries())
    if (asked.every(({ own }) => own[i] === null))
      throw unknownPackage(name, packagesAmong(asked.map(({ packages }) => packages)));
  const meant = asked.map(({ name, own }) => [name, own.filter((one) => one !== null)] as const);
  return new Map(meant.filter(([, own]) => own.length > 0));
}

function requestFor(
  members: Members,
  name: string,
  { repositories: _, paths, feedback, ...request }: SearchRequest,
): SearchRequest | null {
  const globs = paths && globsFor(members, name, paths);
  if (globs && globs.length === 0) return null;
  const marks = feedback && marksFor(name, feedback);
  return { ...request, ...(globs && { paths: globs }), ...(marks && { feedback: marks }) };
}

/** Returns the globs for one repository: those that begin with a repository's name are for that one, others for all. */
function globsFor({ isName }: Members, name: string, globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const own = apart(glob.replace(/^\.?\//, ''), isName);
    if (!own) return [glob];
    if (own.name !== name) return [];
    return [own.path === '' ? '**' : own.path];
  });
}

function marksFor(name: string, feedback: Feedback): Feedback | null {
  const own = MARKS.flatMap((mark) => {
    const addresses = (feedback[mark] ?? []).flatMap((address) => {
      const place = apart(address, (one) => one === name);
      return place ? [place.path] : [];
    });
    return addresses.length > 0 ? [[mark, addresses] as const] : [];
  });
  return own.length > 0 ? Object.fromEntries(own) : null;
}

/** An anchor of a list that was made in one of them alone has no repository's name: all are asked. */
async function resolveAnchors(
  members: Members,
  anchors: readonly Anchor[],
): Promise<AnchorMatches[]> {
  const found = anchors.map(
    (): AnchorMatches => ({ inPlace: null, sameContent: [], sameName: [] }),
  );
  await members.askEach(async (member, one) => {
    const asked = anchors.flatMap((anchor, i) =>
      anchorsIn(member, anchor).map((own) => ({ anchor: own, i })),
    );
    const matches = placeResponse(
      QUERIES.resolveAnchors.response,
      await one.resolveAnchors({ anchors: asked.map(({ anchor }) => anchor) }),
      member.name,
    );
    for (const [a, { i }] of asked.entries())
      found[i] = joinMatches(present(found[i], 'an anchor'), present(matches[a], 'its matches'));
  });
  return found;
}

/** Returns an anchor as one of several, if its path begins with the member's name, and as one of a repository alone. */
function anchorsIn({ name }: Member, anchor: Anchor): Anchor[] {
  const own = apart(anchor.path, (one) => one === name);
  return own ? [{ ...anchor, path: own.path }, anchor] : [anchor];
}

function joinMatches(before: AnchorMatches, more: AnchorMatches): AnchorMatches {
  // The first that has it in its place; another one may have the same code there.
  const isSecond = before.inPlace && more.inPlace?.contentHash === before.inPlace.contentHash;
  const second = isSecond && more.inPlace ? [more.inPlace] : [];
  return {
    inPlace: before.inPlace ?? more.inPlace,
    sameContent: onceEach([...before.sameContent, ...more.sameContent, ...second]),
    sameName: onceEach([...before.sameName, ...more.sameName]),
  };
}

function onceEach<T extends ChunkSummary>(chunks: readonly T[]): T[] {
  return [...new Map(chunks.map((chunk) => [chunk.address, chunk])).values()];
}

async function findByName(
  members: Members,
  { query, ...request }: RequestOf<'find'>,
): Promise<ChunkSummary[]> {
  const own = apart(query, members.isName);
  const { response } = QUERIES.find;
  const lists = await members.askEach(async ({ name }, one) => {
    if (own && own.name !== name) return [];
    const found = await one.find({ ...request, query: own ? own.path : query });
    return placeResponse(response, found, name);
  });
  // Best first in each: the first of all, then the second of all.
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, i) => lists.flatMap((list) => list[i] ?? []))
    .flat()
    .slice(0, request.limit);
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof LocusError && error.code === 'not-found') return [];
  throw error;
}

function notFound(what: string): LocusError {
  const path = splitAddress(what).path || what;
  return new LocusError(
    'not-found',
    `${quoted(path)} is in none of the repositories`,
    'a path begins with the name of its repository',
  );
}
