/**
 * Which of several repositories an issue is about. Scores of different searches cannot be compared, so what can be is made a
 * probability for each: a conditional logit (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974)
 * of two things, how like the issue the first places are, and how much the repository has of the words that the others lack.
 * `npm run lab -- bench-workspace` fits it and compares it with other ways; docs/several-repositories.md has what came of it.
 */
import fitted from '../../../models/ranker-1/several.json' with { type: 'json' };
import type { Standing } from '../../shared/several.ts';

export interface Traits {
  /** The largest cosine similarity of the issue and one of the first places. */
  likeness: number;
  /** CORI's belief that the repository is about the words. */
  cori: number;
}

/** `standing` is null where nothing was found. */
interface Contestant {
  standing: Standing | null;
}

/**
 * For each repository the probability that it is the one to edit, given that one of them is. Where nothing was found it is
 * 0; they add up to 1, unless nothing was found anywhere.
 */
export function chancesOf(
  contestants: readonly Contestant[],
  weights: Traits = fitted.weights,
): number[] {
  const sums = traitsOf(contestants).map((own) =>
    own ? weights.likeness * own.likeness + weights.cori * own.cori : Number.NEGATIVE_INFINITY,
  );
  const best = Math.max(...sums);
  if (best === Number.NEGATIVE_INFINITY) return sums.map(() => 0);
  const odds = sums.map((sum) => Math.exp(sum - best));
  const all = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / all);
}

export function traitsOf(contestants: readonly Contestant[]): (Traits | null)[] {
  const standings = contestants.flatMap(({ standing }) => standing ?? []);
  const rarity = raritiesOf(
    standings.map(({ words }) => Object.keys(words).filter((word) => words[word])),
  );
  const meanSize = standings.reduce((sum, { chunks }) => sum + chunks, 0) / standings.length;
  return contestants.map(
    ({ standing }) =>
      standing && {
        likeness: standing.evidence.likeness ?? 0,
        cori: cori(standing, rarity, meanSize),
      },
  );
}

/**
 * How few of the repositories have each thing: 1 for one alone, towards 0 for all of them, as the inverse collection
 * frequency of CORI (Callan, Lu and Croft, "Searching distributed collections with inference networks", SIGIR 1995).
 */
export function raritiesOf(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists)
    for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const all = lists.length;
  const rarity = (count: number) => Math.log((all + 0.5) / count) / Math.log(all + 1);
  return new Map([...counts].map(([one, count]) => [one, rarity(count)]));
}

/**
 * The mean over the words of how many chunks have the word, saturating, times its rarity. Chunks are counted where
 * CORI counts documents, and for a collection's size too. Its default belief is the same for all, and left out.
 */
function cori(
  { words, chunks }: Standing,
  rarity: ReadonlyMap<string, number>,
  meanSize: number,
): number {
  const all = Object.entries(words);
  const room = 50 + (150 * chunks) / meanSize;
  const sum = all.reduce(
    (total, [word, matches]) => total + (matches / (matches + room)) * (rarity.get(word) ?? 0),
    0,
  );
  return all.length > 0 ? sum / all.length : 0;
}
