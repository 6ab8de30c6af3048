import { assertPresent } from '../../shared/assert-present.ts';
import type { ReachingTests, ReachingTestsRequest } from '../../shared/call-graph.ts';
import { compareLocations } from '../search/gather/chunks.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import { getMembers } from '../snapshot/members.ts';
import type { SearchIndex } from '../snapshot/types.ts';

/** Maximum number of chunks that are followed: almost every chunk may reach a popular function. */
const MAX_FOLLOWED = 20_000;

/** A chunk on a path, with the next chunk of a shortest path to the center. */
interface Step {
  distance: number;
  next: number;
  guess: boolean;
}

type Options = Omit<ReachingTestsRequest, 'chunk'>;

/**
 * Finds the functions and module code of test files from which a chunk can be reached: its callers and their callers,
 * breadth first. A class is reached by its members too. Helpers in test files are tests here, and are followed as well.
 * @param maxFollowed maximum number of chunks that are followed
 */
export function findReachingTests(
  index: SearchIndex,
  center: number,
  { steps, limit }: Options,
  maxFollowed = MAX_FOLLOWED,
): ReachingTests {
  const { reached, ended } = walkCallers(index, [center], steps, maxFollowed);
  const found = [...reached].map(([slot, step]) => ({ chunk: index.getChunk(slot), step }));
  const tests = found.filter(({ chunk }) => chunk.role === 'test' && chunk.kind !== 'class');
  return {
    of: summarizeChunk(index.getChunk(center)),
    tests: tests.slice(0, limit).map(({ chunk, step: { distance, next, guess } }) => {
      return {
        ...summarizeChunk(chunk),
        distance,
        next: summarizeChunk(index.getChunk(next)),
        guess,
      };
    }),
    hidden: Math.max(0, tests.length - limit),
    between: found.filter(({ chunk }) => chunk.role !== 'test').length,
    ended,
  };
}

/** Returns a step for every other chunk that reaches one of the centers, by distance, then by path and line. */
export function walkCallers(
  index: SearchIndex,
  centers: readonly number[],
  steps: number,
  maxFollowed = MAX_FOLLOWED,
) {
  const reached = new Map<number, Step>();
  const isClass = (slot: number) => index.getChunk(slot).kind === 'class';
  let frontier = centers.flatMap((slot) => [
    slot,
    ...(isClass(slot) ? getMembers(slot, index) : []),
  ]);
  const starts = new Set(frontier);
  for (let distance = 1; frontier.length > 0; distance++) {
    const found = new Map<number, Step>();
    for (const next of frontier) {
      const isGuessed = reached.get(next)?.guess ?? false;
      for (const { slot, guess } of index.getCallers(next)) {
        if (starts.has(slot) || reached.has(slot)) continue;
        const step = { distance, next, guess: isGuessed || guess };
        const before = found.get(slot);
        // A path without a guess is better than another of the same length with one.
        if (!before || (before.guess && !step.guess)) found.set(slot, step);
      }
    }
    if (distance > steps && found.size > 0) return { reached, ended: 'steps' as const };
    frontier = sortByPlace(index, found.keys());
    const room = maxFollowed - reached.size;
    for (const slot of frontier.slice(0, room))
      reached.set(slot, assertPresent(found.get(slot), 'a step'));
    if (frontier.length > room) return { reached, ended: 'chunks' as const };
  }
  return { reached, ended: null };
}

function sortByPlace(index: SearchIndex, slots: Iterable<number>): number[] {
  return Array.from(slots, (slot) => ({ slot, chunk: index.getChunk(slot) }))
    .sort((a, b) => compareLocations(a.chunk, b.chunk))
    .map(({ slot }) => slot);
}
