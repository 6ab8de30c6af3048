/**
 * Estimates which repository of a workspace an issue is about. Scores of different searches are not comparable, so each repository
 * gets a probability: a conditional logit (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974) of two
 * features. One is how similar the first results are to the issue; the other is how many of its words only this repository has.
 * `npm run lab -- bench-workspace` fits it and compares it with other methods; lab/notes/2026-11-28-workspaces.md has the results.
 */
import fitted from '../../../models/ranker-1/workspace.json' with { type: 'json' };
import type { CalibratedScore } from '../../shared/workspace.ts';

export interface ChanceFeatures {
  /** Largest cosine similarity between the issue and one of the first results. */
  likeness: number;
  /** CORI's belief that the repository is about the words. */
  cori: number;
}

/** A repository of the comparison. `calibratedScore` is null if its search found nothing. */
interface Contestant {
  calibratedScore: CalibratedScore | null;
}

/**
 * Estimates for each repository the probability that the fix edits it, given that the fix edits one of them. It is 0 if nothing was
 * found there. The probabilities add up to 1, unless nothing was found anywhere.
 */
export function estimateChances(
  contestants: readonly Contestant[],
  weights: ChanceFeatures = fitted.weights,
): number[] {
  const sums = computeFeatures(contestants).map((own) =>
    own ? weights.likeness * own.likeness + weights.cori * own.cori : Number.NEGATIVE_INFINITY,
  );
  const best = Math.max(...sums);
  if (best === Number.NEGATIVE_INFINITY) return sums.map(() => 0);
  const odds = sums.map((sum) => Math.exp(sum - best));
  const all = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / all);
}

/** Computes the features of each repository; null if nothing was found there. */
export function computeFeatures(contestants: readonly Contestant[]): (ChanceFeatures | null)[] {
  const scores = contestants.flatMap(({ calibratedScore }) => calibratedScore ?? []);
  const rarity = computeRarities(
    scores.map(({ words }) => Object.keys(words).filter((word) => words[word])),
  );
  const meanSize = scores.reduce((sum, { chunks }) => sum + chunks, 0) / scores.length;
  return contestants.map(
    ({ calibratedScore }) =>
      calibratedScore && {
        likeness: calibratedScore.evidence.likeness ?? 0,
        cori: computeCori(calibratedScore, rarity, meanSize),
      },
  );
}

/**
 * Computes how rare each word is: 1 for a word that one repository has, towards 0 for a word that all have. This is the inverse
 * collection frequency of CORI (Callan, Lu and Croft, "Searching distributed collections with inference networks", SIGIR 1995).
 */
export function computeRarities(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists)
    for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const all = lists.length;
  const rarity = (count: number) => Math.log((all + 0.5) / count) / Math.log(all + 1);
  return new Map([...counts].map(([one, count]) => [one, rarity(count)]));
}

/**
 * Computes the mean over the words of a saturating count of chunks with the word, times the word's rarity. Chunks take the
 * place of CORI's documents, also for the size of a collection. CORI's default belief is omitted, since it is the same for all.
 */
function computeCori(
  { words, chunks }: CalibratedScore,
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
