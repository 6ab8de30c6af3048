/** What of a search can be held against a search of another repository. */
import type { Standing } from '../../shared/standing.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { shares } from './confidence.ts';
import { evidenceOfConfidence } from './confidence-evidence.ts';
import type { ResolvedIssue } from './issue.ts';
import { tellingOf } from './measures/words.ts';
import type { QueryVectors } from './query-vectors.ts';
import type { Found } from './search.ts';

/** Places that confidence is about, as in the rankers' calibrations. */
const PLACES = 5;
/** Words of an issue that are told of, the first ones. */
const MOST_WORDS = 1000;
/** Places of the list that have a share. */
const MOST_SHARES = 1000;

/**
 * @param found by the first step: a second one has scores that cannot be compared with those that it did not read
 * @returns null where there is nothing to rank
 */
export function standingOf(found: Found, index: SearchIndex): Standing | null {
  const { ranking } = found;
  if (!ranking) return null;
  return {
    ...saidOf(found, ranking.candidates.issue, index),
    evidence: evidenceOfConfidence(ranking, PLACES),
    shares: [...shares(ranking.scores).toSorted().reverse().slice(0, MOST_SHARES)],
  };
}

/**
 * What a ranking could stand for at the most, before there is one: its first places cannot be more like the issue than the most
 * alike of all chunks, nor have more than all of the probability.
 * @param queryVectors null where nothing is compared
 */
export function highestStanding(
  found: Found,
  issue: ResolvedIssue,
  queryVectors: QueryVectors | null,
  index: SearchIndex,
): Standing {
  const likeness = queryVectors
    ? Math.max(0, index.vectors.largestSimilarity(queryVectors.issue))
    : 0;
  return { ...saidOf(found, issue, index), evidence: { likeness }, shares: [1] };
}

/** What does not depend on a ranking. */
function saidOf(
  { report, read }: Found,
  { searched }: ResolvedIssue,
  index: SearchIndex,
): Pick<Standing, 'chunks' | 'words' | 'named'> {
  const words = tellingOf(`${read.title}\n${searched}`);
  const frames = report.frames.filter(({ address }) => address !== null);
  const mentions = [...report.names, ...report.paths].map(({ text }) => text);
  return {
    chunks: index.live,
    words: Object.fromEntries(
      words.slice(0, MOST_WORDS).map((word) => [word, index.lexical.matches(word)]),
    ),
    named: [...new Set([...mentions, ...frames.map(({ path, name }) => `${path} ${name}`)])],
  };
}
