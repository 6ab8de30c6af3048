/** Finds what surrounds a result: callers, callees, tests, and functions that its fix may have to edit, too. */
import { splitAddress } from '../../shared/address.ts';
import type { Neighborhood } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { nullIfMissing } from '../../shared/null-if-missing.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { RELATION_CLAUSES } from '../../shared/related-chunks.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';

/** A function around a result, and the line to look at: of the call for a caller, of the definition otherwise. */
export interface RelatedPlace {
  path: string;
  name: string;
  line: number;
  /** Rank in the same list; undefined if it is not in it. */
  rank?: number | undefined;
}

/** One line of an answer: `called by`, the first places, and the number of others. */
export interface Relation {
  relation: string;
  places: RelatedPlace[];
  omitted: number;
}

type RelatedRepository = Pick<QueryTarget, 'neighbors' | 'tests'>;
type Rank = (address: string) => number | undefined;

/** Maximum number of places of a relation. */
const MAX_CALLERS = 2;
const MAX_PLACES = 3;
const MAX_TESTS = 1;
/** Number of neighbors from which the shown ones are chosen. */
const MAX_NEIGHBORS = 200;

/** @param rankOf rank of an address in the list, from 1 */
export async function findRelations(
  repository: RelatedRepository,
  chunk: RankedChunk,
  rankOf: Rank,
): Promise<Relation[]> {
  const { address } = chunk;
  if (chunk.kind === 'section' || chunk.kind === 'module') return [];
  const [around, reaching] = await Promise.all([
    nullIfMissing(repository.neighbors({ chunk: address, limit: MAX_NEIGHBORS })),
    nullIfMissing(repository.tests({ chunk: address, limit: MAX_TESTS })),
  ]);
  const tests = reaching?.tests.map((test) => describe(test, rankOf)) ?? [];
  return [
    ...(around ? [listCallers(around, rankOf), listCallees(around, rankOf)] : []),
    ...listRelated(chunk, rankOf),
    { relation: 'tested by', places: tests, omitted: reaching?.hidden ?? 0 },
  ].filter(({ places }) => places.length > 0);
}

function listCallers({ center, nodes, edges }: Neighborhood, rankOf: Rank): Relation {
  const lines = new Map(edges.map(({ caller, sites }) => [caller, sites[0]?.line]));
  const callers = nodes
    .filter(({ address, distance, role }) => {
      return distance === -1 && role === 'source' && address !== center;
    })
    .map((node) => describe(node, rankOf, lines.get(node.address)));
  return cut('called by', callers, MAX_CALLERS);
}

function listCallees({ center, nodes, edges }: Neighborhood, rankOf: Rank): Relation {
  const byAddress = new Map(nodes.map((node) => [node.address, node]));
  const calls = edges
    .filter(({ caller, callee }) => caller === center && callee !== center)
    .toSorted((a, b) => (a.sites[0]?.line ?? 0) - (b.sites[0]?.line ?? 0));
  const callees = new Set(calls.flatMap(({ callee }) => byAddress.get(callee) ?? []));
  return cut(
    'calls',
    [...callees].map((node) => describe(node, rankOf)),
  );
}

function listRelated({ related = [] }: RankedChunk, rankOf: Rank): Relation[] {
  return [...Map.groupBy(related, ({ relation }) => relation)].map(([relation, group]) =>
    cut(
      RELATION_CLAUSES[relation].replace(/:$/, ''),
      group.map((one) => describe(one, rankOf)),
    ),
  );
}

function describe(
  { address, startLine }: Pick<ChunkSummary, 'address' | 'startLine'>,
  rankOf: Rank,
  line = startLine,
): RelatedPlace {
  const { path, name } = splitAddress(address);
  return { path: escapeHidden(path), name: escapeHidden(name), line, rank: rankOf(address) };
}

/** Keeps the first places; those in the list come first, since the reader knows them. */
function cut(relation: string, places: readonly RelatedPlace[], most = MAX_PLACES): Relation {
  const order = places.toSorted((a, b) => Number(!a.rank) - Number(!b.rank));
  return {
    relation,
    places: order.slice(0, most),
    omitted: Math.max(0, places.length - most),
  };
}
