/** A search of several repositories, one after the other, and the list that they make together. */
import { throwIfCancelled } from '../../base/cancel.ts';
import { DamagedIndex } from '../../base/damage.ts';
import { SEARCHES } from '../../base/right-of-way.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import { DEFAULT_RESULTS, MOST_READ, READING_MS } from '../../shared/limits.ts';
import { present } from '../../shared/present.ts';
import type { Answering, SearchOptions } from '../../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../../shared/search.ts';
import type { Standing } from '../../shared/several.ts';
import { chancesOf } from './chance.ts';
import { merged, type Part, type Place, placesOf } from './merge.ts';

export interface Member {
  /** See `namesOf`. */
  name: string;
  root: string;
  /** Whether it stays open between two questions: a glance costs little then, and nothing is indexed for one. */
  staysOpen: boolean;
  /**
   * Has it open for as long as `run` takes; one that does not stay open may be brought up to date before. Rejects with
   * `LocusError` when it cannot be opened.
   */
  use<T>(run: (repository: Answering) => Promise<T>): Promise<T>;
}

/**
 * A repository less likely than this to have the answer is not ranked once the list is full of likelier ones: it could change
 * no place that matters, and of thirty repositories most are such.
 */
const LEAST_CHANCE = 0.01;

/** Repositories in which models read the first results, those with most of them: each loads models of its own. */
const MOST_READING = 3;

/**
 * Asks all members in turn, and merges; of those that stay open, ranks only in those that can have a place in the list. One that fails is told of in
 * `repositories` and keeps no other from answering. Where models for a second step are installed, they then read the first of
 * the merged list, each repository's in the places that they hold: which repository a place belongs to stays.
 * @param requestFor what to ask a member; null leaves it out
 * @throws LocusError what the first member failed with, if all did; `cancelled` when the signal aborts or a member was
 * asked anew. `DamagedIndex` goes through, to be mended by who can.
 */
export function searchSeveral(...asked: Parameters<typeof search>): Promise<SearchResponse> {
  const [members] = asked;
  // Between two that stay open, too, nothing else begins. Others are indexed in between, which rests for who holds the right of
  // way: they have it for each search alone.
  return members.every(({ staysOpen }) => staysOpen)
    ? SEARCHES.hold(() => search(...asked))
    : search(...asked);
}

async function search(
  members: readonly Member[],
  request: SearchRequest,
  requestFor: (member: Member) => SearchRequest | null,
  { onFirst, signal }: SearchOptions = {},
): Promise<SearchResponse> {
  const asked = members.flatMap((member) => {
    const own = requestFor(member);
    return own ? [{ member, own }] : [];
  });
  const limit = request.limit ?? DEFAULT_RESULTS;
  const { parts, chances, places } = await firstStep(asked, limit, signal);
  const first = merged(parts, places, chances);
  const shares = readingShares(parts, places, request);
  if (shares.size === 0) return unread(first, request);
  const all = sum(shares.values());
  onFirst?.({ ...first, refined: { ...first.refined, state: 'reading', of: all } });
  for (const [i, read] of shares) {
    const target = present(asked[i], 'a member that is read');
    const milliseconds = ((request.refine?.milliseconds ?? READING_MS) * read) / all;
    const own = { ...target.own, refine: { read, milliseconds: Math.ceil(milliseconds) } };
    const before = parts[i]?.response?.results.length;
    const again = await searchOne(target.member, own, { signal }, () => before);
    // What changed meanwhile is not merged by places of before.
    if (before === again.response?.results.length) parts[i] = again;
  }
  return merged(parts, places, chances);
}

interface Asked {
  member: Member;
  own: SearchRequest;
}

/**
 * The first lists of the members, those of which a result can be among the first `limit`: the likeliest first, until none that is
 * left could be likelier to have the answer than the last place already is, or than `LEAST_CHANCE`. A glance says how likely at
 * the most, and the first comparison holds however likely the others turn out to be, since that changes all chances by one factor.
 */
async function firstStep(asked: readonly Asked[], limit: number, signal?: AbortSignal) {
  const parts: Part[] = [];
  const ask = ({ member, own }: Asked, glance: boolean, wanted?: Wanted) => {
    throwIfCancelled(signal, 'The search');
    return searchOne(member, { ...own, refine: { read: 0 } }, { glance, signal }, wanted);
  };
  const isGlancedAt = ({ member }: Asked) => member.staysOpen && asked.length > 1;
  for (const one of asked) parts.push(await ask(one, isGlancedAt(one)));
  const left = new Set(
    asked.flatMap((one, i) => (isGlancedAt(one) && parts[i]?.response ? [i] : [])),
  );
  for (;;) {
    const chances = chancesOf(parts);
    const places = placesOf(parts, chances).slice(0, limit);
    const chanceOf = (i: number) => chances[i] ?? 0;
    const [next] = [...left].sort((a, b) => chanceOf(b) - chanceOf(a) || a - b);
    const isFull = places.length === limit;
    const least = Math.max(places.at(-1)?.probability ?? 0, LEAST_CHANCE);
    if (next === undefined || (isFull && chanceOf(next) < least)) return { parts, chances, places };
    left.delete(next);
    const one = present(asked[next], 'a member that was glanced at');
    parts[next] = await ask(one, false, (standing) => placesFor(next, standing, parts, limit));
  }
}

/** How many results are to be written out of a ranking that stands so; all up to the limit where it does not say. */
type Wanted = (standing: Standing | null) => number | undefined;

/** How many of the first results of a part can be among the first `limit`, beside those of the parts that are ranked. */
function placesFor(
  i: number,
  standing: Standing | null,
  parts: readonly Part[],
  limit: number,
): number {
  const others = parts.map((part, at) => (at === i ? { ...part, standing, response: null } : part));
  const chances = chancesOf(others);
  const last = placesOf(others, chances)[limit - 1]?.probability ?? 0;
  const shares = standing?.shares ?? [];
  // The same quotient of chances comes out a little different when they are added up anew.
  const least = last * (1 - 1e-9);
  const beneath = shares.findIndex((share) => (chances[i] ?? 0) * share < least);
  return beneath < 0 ? limit : Math.min(beneath, limit);
}

/** The list that there is without a second step, with why. */
function unread(response: SearchResponse, { refine }: SearchRequest): SearchResponse {
  const { refined } = response;
  if (refine?.read === 0 || refined.models.length > 0) return response;
  return { ...response, refined: { ...refined, state: 'missing' } };
}

async function searchOne(
  { name, root, use }: Member,
  request: SearchRequest,
  options: Pick<SearchOptions, 'glance' | 'signal'>,
  wanted?: Wanted,
): Promise<Part> {
  let standing: Standing | null = null;
  const onStanding = (told: Standing | null) => {
    standing = told;
    return wanted?.(told);
  };
  try {
    const response = await use((repository) =>
      repository.search(request, { ...options, once: true, onStanding }),
    );
    return { name, root, response, standing, failure: null };
  } catch (error) {
    const isTold = error instanceof LocusError && !(error instanceof DamagedIndex);
    if (!isTold || isCancelled(error)) throw error;
    return { name, root, response: null, standing: null, failure: error };
  }
}

/** How many of the first results models read in which part: as many as it has among the first of the merged list. */
function readingShares(
  parts: readonly Part[],
  places: readonly Place[],
  { refine }: SearchRequest,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { part } of places.slice(0, refine?.read ?? MOST_READ))
    counts.set(part, (counts.get(part) ?? 0) + 1);
  const readable = [...counts].filter(([i, count]) => {
    const models = parts[i]?.response?.refined.models ?? [];
    return models.length > 0 && count > 1;
  });
  return new Map(readable.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_READING));
}

const sum = (numbers: Iterable<number>): number =>
  Iterator.from(numbers).reduce((total, one) => total + one, 0);
