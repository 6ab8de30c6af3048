/** What of a search can be held against a search of another repository. */
import type { Standing } from '../../shared/standing.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { shares } from './confidence.ts';
import { evidenceOfConfidence } from './confidence-evidence.ts';
import { tellingOf } from './measures/words.ts';
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
export function standingOf({ ranking, report, read }: Found, index: SearchIndex): Standing | null {
  if (!ranking) return null;
  const words = tellingOf(`${read.title}\n${ranking.candidates.issue.searched}`);
  const frames = report.frames.filter(({ address }) => address !== null);
  const mentions = [...report.names, ...report.paths].map(({ text }) => text);
  return {
    evidence: evidenceOfConfidence(ranking, PLACES),
    chunks: index.live,
    words: Object.fromEntries(
      words.slice(0, MOST_WORDS).map((word) => [word, index.lexical.matches(word)]),
    ),
    named: [...new Set([...mentions, ...frames.map(({ path, name }) => `${path} ${name}`)])],
    shares: [...shares(ranking.scores).toSorted().reverse().slice(0, MOST_SHARES)],
  };
}
