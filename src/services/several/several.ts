/**
 * Several repositories that answer as one: as if they were folders of a tree, each under its name. What is asked of a path
 * or an address goes to its own repository.
 */
import { DamagedIndex } from '../../engine/store/damage.ts';
import { splitAddress } from '../../shared/address.ts';
import type { Anchor, AnchorMatches } from '../../shared/anchors.ts';
import type { Blame } from '../../shared/blame.ts';
import type { CallEdge, Neighborhood } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import type { ChunkDetail, FileDetail } from '../../shared/detail.ts';
import { LocusError } from '../../shared/errors.ts';
import type { RepositoryStatus, SkippedFile } from '../../shared/indexing.ts';
import { MARKS } from '../../shared/marks.ts';
import { packageMeant, unknownPackage } from '../../shared/packages.ts';
import type { References } from '../../shared/references.ts';
import type { Answering, SearchOptions } from '../../shared/repository.ts';
import type { Feedback, RankedChunk, SearchRequest, SearchResponse } from '../../shared/search.ts';
import { among, apart } from '../../shared/several.ts';
import type { SimilarChunks } from '../../shared/similar.ts';
import { commonFolder, titleOf } from './merge.ts';
import { type Member, searchSeveral } from './search.ts';
import { packagesAmong, statusOf } from './status.ts';

export class SeveralRepositories implements Answering {
  readonly #members: ReadonlyMap<string, Member>;

  constructor(members: readonly Member[]) {
    this.#members = new Map(members.map((member) => [member.name, member]));
  }

  /** What they are called together. */
  get title(): string {
    return titleOf([...this.#members.keys()]);
  }

  async search(request: SearchRequest, options: SearchOptions = {}): Promise<SearchResponse> {
    const { onFirst } = options;
    const chosen = this.#chosen(request.repositories);
    const packages = await this.#packagesMeant(chosen, request.packages ?? []);
    const response = await searchSeveral(
      chosen,
      request,
      ({ name }) => {
        const own = packages?.get(name);
        if (packages && !own) return null;
        return this.#requestFor(name, own ? { ...request, packages: own } : request);
      },
      { ...options, onFirst: onFirst && ((first) => onFirst(inTree(first))) },
    );
    return inTree(response);
  }

  async show(chunk: string): Promise<ChunkDetail> {
    const own = this.#find(chunk);
    if (own) return own.member.use(async (one) => detailIn(own.member, await one.show(own.path)));
    return this.#anywhere(chunk, async (member, one) => detailIn(member, await one.show(chunk)));
  }

  async file(path: string): Promise<FileDetail> {
    const { member, path: own } = this.#place(path);
    const found = await member.use((one) => one.file(own));
    return { ...found, path, chunks: found.chunks.map((chunk) => placed(member.name, chunk)) };
  }

  async neighbors(request: Parameters<Answering['neighbors']>[0]): Promise<Neighborhood> {
    const around = async (member: Member, one: Answering, chunk: string) =>
      neighborhoodIn(member, await one.neighbors({ ...request, chunk }));
    const own = this.#find(request.chunk);
    if (own) return own.member.use((one) => around(own.member, one, own.path));
    return this.#anywhere(request.chunk, (member, one) => around(member, one, request.chunk));
  }

  async references(request: Parameters<Answering['references']>[0]): Promise<References> {
    const to = async (member: Member, one: Answering, chunk: string) =>
      referencesIn(member, await one.references({ ...request, chunk }));
    const own = this.#find(request.chunk);
    if (own) return own.member.use((one) => to(own.member, one, own.path));
    return this.#anywhere(request.chunk, (member, one) => to(member, one, request.chunk));
  }

  async blame(
    request: Parameters<Answering['blame']>[0],
    options?: Parameters<Answering['blame']>[1],
  ): Promise<Blame> {
    const { member, path } = this.#place(request.path);
    return member.use((one) => one.blame({ ...request, path }, options));
  }

  async similar(request: Parameters<Answering['similar']>[0]): Promise<SimilarChunks> {
    const to = async (member: Member, one: Answering, chunk: string) => {
      const similar = await one.similar({ ...request, chunk });
      return {
        ...similar,
        center: placed(member.name, similar.center),
        chunks: inTreeAll(member, similar.chunks),
      };
    };
    const own = this.#find(request.chunk);
    if (own) return own.member.use((one) => to(own.member, one, own.path));
    return this.#anywhere(request.chunk, (member, one) => to(member, one, request.chunk));
  }

  /** An anchor of a list that was made in one of them alone has no repository's name: all are asked. */
  async resolveAnchors(
    anchors: Parameters<Answering['resolveAnchors']>[0],
  ): Promise<AnchorMatches[]> {
    const found: AnchorMatches[] = anchors.map(() => {
      return { inPlace: null, sameContent: [], sameName: [] };
    });
    await this.#each(async (member, one) => {
      const asked = anchors.flatMap((anchor, i) =>
        this.#anchorsIn(member, anchor).map((own) => ({ anchor: own, i })),
      );
      const matches = await one.resolveAnchors(asked.map(({ anchor }) => anchor));
      for (const [a, { i }] of asked.entries()) {
        const match = matches[a];
        if (match) found[i] = both(found[i] ?? match, match, member.name);
      }
    });
    return found;
  }

  async find(name: string, limit: number): Promise<ChunkSummary[]> {
    const own = apart(name, (one) => this.#members.has(one));
    const lists = await this.#each((member, one) =>
      own && own.name !== member.name
        ? Promise.resolve([])
        : one.find(own ? own.path : name, limit).then((found) => inTreeAll(member, found)),
    );
    // Best first in each: the first of all, then the second of all.
    const most = Math.max(0, ...lists.map((list) => list.length));
    return Array.from({ length: most }, (_, i) => lists.flatMap((list) => list[i] ?? []))
      .flat()
      .slice(0, limit);
  }

  async status(): Promise<RepositoryStatus> {
    const statuses = await this.#each((_, one) => one.status());
    return statusOf(statuses, this.title, commonFolder([...this.#members.values()].map(rootOf)));
  }

  async skipped(): Promise<SkippedFile[]> {
    const lists = await this.#each(async (member, one) =>
      (await one.skipped()).map((file) => ({ ...file, path: among(member.name, file.path) })),
    );
    return lists.flat();
  }

  /** Asks all that can be asked; the first failure, where none can. */
  async #each<T>(
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

  /** Where exactly one of them has what a name stands for. */
  async #anywhere<T>(
    chunk: string,
    ask: (member: Member, one: Answering) => Promise<T>,
  ): Promise<T> {
    const answers = await this.#each((member, one) =>
      ask(member, one).then((answer) => [{ name: member.name, answer }], noneIfMissing),
    );
    const found = answers.flat();
    const [first, ...others] = found;
    if (!first) throw notFound(chunk);
    if (others.length === 0) return first.answer;
    throw new LocusError(
      'ambiguous',
      `${chunk} is in ${found.map(({ name }) => name).join(' and in ')}`,
      `name the repository too: ${among(first.name, chunk)}`,
    );
  }

  /** @throws LocusError `bad-input` for a name that none of them has */
  #chosen(names: readonly string[] | undefined): Member[] {
    if (!names || names.length === 0) return [...this.#members.values()];
    return names.map((name) => {
      const member = this.#members.get(name);
      if (member) return member;
      const known = [...this.#members.keys()].join(', ');
      throw new LocusError(
        'bad-input',
        `no repository here is called ${name}`,
        `choose of ${known}`,
      );
    });
  }

  /**
   * Which of the packages that are meant each repository has, by its name; null where none are chosen.
   * @throws LocusError `bad-input` for one that none of them has
   */
  async #packagesMeant(
    members: readonly Member[],
    wanted: readonly string[],
  ): Promise<Map<string, string[]> | null> {
    if (wanted.length === 0) return null;
    const asked = await this.#each(
      async (member, one) => ({ member, packages: (await one.status()).packages }),
      members,
    );
    const meant = asked.map(({ member, packages }) => {
      const own = wanted.map((name) => packageMeant(name, packages));
      return { name: member.name, own };
    });
    for (const [i, name] of wanted.entries())
      if (meant.every(({ own }) => own[i] === null))
        throw unknownPackage(name, packagesAmong(asked.map(({ packages }) => packages)));
    return new Map(
      meant.flatMap(({ name, own }) => {
        const has = own.filter((one) => one !== null);
        return has.length > 0 ? [[name, has]] : [];
      }),
    );
  }

  /** The part of a request that is for one repository; null where its filters leave nothing of it. */
  #requestFor(
    name: string,
    { repositories: _, paths, feedback, ...request }: SearchRequest,
  ): SearchRequest | null {
    const globs = paths && this.#globsFor(name, paths);
    if (globs && globs.length === 0) return null;
    const marks = feedback && this.#marksFor(name, feedback);
    return { ...request, ...(globs && { paths: globs }), ...(marks && { feedback: marks }) };
  }

  /** Globs that begin with a repository's name are for that one; others are for all. */
  #globsFor(name: string, globs: readonly string[]): string[] {
    return globs.flatMap((glob) => {
      const own = apart(glob.replace(/^\.?\//, ''), (one) => this.#members.has(one));
      if (!own) return [glob];
      if (own.name !== name) return [];
      return [own.path === '' ? '**' : own.path];
    });
  }

  #marksFor(name: string, feedback: Feedback): Feedback | null {
    const own = MARKS.flatMap((mark) => {
      const addresses = (feedback[mark] ?? []).flatMap((address) => {
        const place = apart(address, (one) => one === name);
        return place ? [place.path] : [];
      });
      return addresses.length > 0 ? [[mark, addresses] as const] : [];
    });
    return own.length > 0 ? Object.fromEntries(own) : null;
  }

  /** As one of several, if its path begins with the member's name; and as one of a repository alone. */
  #anchorsIn({ name }: Member, anchor: Anchor): Anchor[] {
    const own = apart(anchor.path, (one) => one === name);
    return own ? [{ ...anchor, path: own.path }, anchor] : [anchor];
  }

  /** What a path or an address is in its own repository; null for a name, which may be anywhere. */
  #find(path: string): { member: Member; path: string } | null {
    const own = apart(path, (name) => this.#members.has(name));
    const member = own && this.#members.get(own.name);
    return own && member ? { member, path: own.path } : null;
  }

  #place(path: string): { member: Member; path: string } {
    const own = this.#find(path);
    if (own) return own;
    throw notFound(path);
  }
}

const rootOf = ({ root }: Member): string => root;

function placed<T extends ChunkSummary>(name: string, chunk: T): T {
  return { ...chunk, path: among(name, chunk.path), address: among(name, chunk.address) };
}

function inTreeAll<T extends ChunkSummary>({ name }: Member, chunks: readonly T[]): T[] {
  return chunks.map((chunk) => placed(name, chunk));
}

function inTree(response: SearchResponse): SearchResponse {
  const { results } = response;
  return {
    ...response,
    results: results.map((result) => resultIn(result.repository ?? '', result)),
  };
}

function resultIn(name: string, result: RankedChunk): RankedChunk {
  const { companions } = result;
  if (!companions) return placed(name, result);
  return {
    ...placed(name, result),
    companions: companions.map((one) => ({
      ...one,
      path: among(name, one.path),
      address: among(name, one.address),
    })),
  };
}

function edgeIn(name: string, edge: CallEdge): CallEdge {
  return { ...edge, caller: among(name, edge.caller), callee: among(name, edge.callee) };
}

function detailIn({ name }: Member, detail: ChunkDetail): ChunkDetail {
  const { callers, callees, context } = detail;
  return {
    ...placed(name, detail),
    callers: callers.map((edge) => edgeIn(name, edge)),
    callees: callees.map((edge) => edgeIn(name, edge)),
    context: {
      ...context,
      parts: context.parts.map((part) =>
        part.address === undefined ? part : { ...part, address: among(name, part.address) },
      ),
    },
  };
}

function neighborhoodIn(member: Member, { center, nodes, edges }: Neighborhood): Neighborhood {
  return {
    center: among(member.name, center),
    nodes: inTreeAll(member, nodes),
    edges: edges.map((edge) => edgeIn(member.name, edge)),
  };
}

function referencesIn({ name }: Member, { to, references, hidden }: References): References {
  return {
    to: placed(name, to),
    references: references.map((one) => ({ ...one, caller: placed(name, one.caller) })),
    hidden,
  };
}

function both(before: AnchorMatches, more: AnchorMatches, name: string): AnchorMatches {
  const here = (chunks: AnchorMatches['sameName']) => chunks.map((chunk) => placed(name, chunk));
  const inPlace = more.inPlace && placed(name, more.inPlace);
  // The first that has it in its place; another one may have the same code there.
  const second =
    before.inPlace && inPlace?.contentHash === before.inPlace.contentHash ? [inPlace] : [];
  return {
    inPlace: before.inPlace ?? inPlace,
    sameContent: onceEach([...before.sameContent, ...here(more.sameContent), ...second]),
    sameName: onceEach([...before.sameName, ...here(more.sameName)]),
  };
}

function onceEach<T extends ChunkSummary>(chunks: readonly T[]): T[] {
  return [...new Map(chunks.map((chunk) => [chunk.address, chunk])).values()];
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof LocusError && error.code === 'not-found') return [];
  throw error;
}

function notFound(what: string): LocusError {
  const path = splitAddress(what).path || what;
  return new LocusError(
    'not-found',
    `${path} is in none of the repositories`,
    'a path begins with the name of its repository',
  );
}
