/**
 * What tells how sure a ranking is. Its scores alone do not: they are relative to one another, so that one candidate that
 * has a word of a bare link stands out as much as one that an issue describes. So how much there was to search with, how
 * much of it the first places explain, and how like the issue they are, count as well. The size of the repository does not:
 * what small ones say of it does not hold for large ones.
 */
import { present } from '../../shared/present.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { ABSENT } from '../vectors/vector-table.ts';
import { type ConfidenceEvidence, shares } from './confidence.ts';
import { tellingOf } from './measures/words.ts';
import { type Ranking, slotOf } from './ranking.ts';

/**
 * Of a second step's ranking, the scores of what was read alone: others are not comparable with them.
 * @param places how many of the first places are meant
 */
export function evidenceOfConfidence(ranking: Ranking, places: number): ConfidenceEvidence {
  const { candidates, scores, order, second } = ranking;
  const { issue, index } = candidates;
  const compared = second ? scores.filter((_, i) => second.read.has(i)) : scores;
  const sorted = compared.toSorted().reverse();
  const share = shares(sorted);
  const mass = share.subarray(0, places).reduce((sum, own) => sum + own, 0);
  const last = sorted[Math.min(places, sorted.length - 1)];
  const first = order.slice(0, places).map((i) => slotOf(i, candidates));
  return {
    massInTop: logit(mass),
    massOfFirst: logit(share[0] ?? 0),
    gap: (sorted[0] ?? 0) - (last ?? 0),
    likeness: Math.max(0, ...first.map((slot) => similarityOf(slot, ranking))),
    said: Math.log(1 + known(`${issue.title}\n${issue.searched}`, index)),
    explained: explained(issue.title, first, index),
  };
}

function similarityOf(slot: number, { candidates: { similarities } }: Ranking): number {
  const similarity = similarities?.issue[slot] ?? ABSENT;
  return similarity === ABSENT ? 0 : similarity;
}

/** How much of a text the repository has: the inverse document frequencies of its telling words, added. */
function known(text: string, { lexical }: SearchIndex): number {
  return tellingOf(text).reduce((sum, word) => sum + lexical.idf(word), 0);
}

/**
 * Which share of a text's telling words these chunks have between them, each counting its inverse document frequency. A word
 * that the repository lacks counts more than any that it has.
 */
function explained(text: string, slots: readonly number[], { lexical, live }: SearchIndex): number {
  const words = tellingOf(text);
  const rarest = Math.log(1 + live);
  const weights = new Map(words.map((word) => [word, lexical.idf(word) || rarest]));
  const query = lexical.query(new Map(words.map((word) => [word, 1])));
  const found = new Set(
    slots.flatMap((slot) => lexical.detail(slot, query).terms.map(({ term }) => term)),
  );
  const sum = (of: Iterable<string>) =>
    Iterator.from(of).reduce((total, word) => total + present(weights.get(word), 'a word'), 0);
  return words.length > 0 ? sum(found) / sum(words) : 0;
}

/** log-odds, kept finite. */
function logit(p: number): number {
  const kept = Math.min(1 - 1e-6, Math.max(1e-6, p));
  return Math.log(kept / (1 - kept));
}
