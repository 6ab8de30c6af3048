/** Traits that may show which repository an issue is about. Searches use two of them (`chance.ts`). */
import {
  type ChanceFeatures,
  computeFeatures,
  computeRarities,
} from '../../src/services/workspace/chance.ts';
import type { CalibratedScore } from '../../src/shared/workspace.ts';
import type { Trial } from './collect.ts';

export const TRAIT_NAMES = [
  'massInTop',
  'massOfFirst',
  'gap',
  'likeness',
  'explained',
  'cori',
  'coverage',
  'named',
  'called',
] as const;
export type TraitName = (typeof TRAIT_NAMES)[number];
export type AllTraits = Record<TraitName, number>;

/** Returns the traits of each repository of a trial, in their order; null if nothing was found. */
export function computeTraits({ standings, issue }: Trial): (AllTraits | null)[] {
  const contestants = Object.entries(standings).map(([repo, { calibratedScore }]) => ({
    repo,
    calibratedScore,
  }));
  const serving: (ChanceFeatures | null)[] = computeFeatures(contestants);
  const found = contestants.flatMap(({ calibratedScore }) => calibratedScore ?? []);
  const words = computeRarities(found.map(wordsIn));
  const names = computeRarities(found.map(({ named }) => named));
  return contestants.map(({ repo, calibratedScore }, i) => {
    const own = serving[i];
    if (!calibratedScore || !own) return null;
    const { massInTop = 0, massOfFirst = 0, gap = 0, explained = 0 } = calibratedScore.evidence;
    return {
      ...own,
      massInTop,
      massOfFirst,
      gap,
      explained,
      coverage: computeCoverage(wordsIn(calibratedScore), words),
      named: computeCoverage(calibratedScore.named, names),
      called: Number(isCalled(repo.slice(repo.indexOf('/') + 1), issue)),
    };
  });
}

const wordsIn = ({ words }: CalibratedScore): string[] =>
  Object.keys(words).filter((word) => words[word]);

/** Returns the share of the items of all repositories that this one has, weighted by rarity. */
function computeCoverage(own: readonly string[], rarity: ReadonlyMap<string, number>): number {
  const all = [...rarity.values()].reduce((sum, value) => sum + value, 0);
  const known = [...new Set(own)].reduce((sum, one) => sum + (rarity.get(one) ?? 0), 0);
  return all > 0 ? known / all : 0;
}

/** Returns true if an issue has a repository's name as a word: `scikit-learn`, `scikit_learn` or `scikit learn`. */
function isCalled(name: string, issue: string): boolean {
  const plain = (text: string) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `;
  return plain(issue).includes(plain(name));
}
