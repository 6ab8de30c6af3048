/** Chooses the candidates of the ranked lists that a cross-encoder learns from and is measured on. */

import { mean } from '../../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../../src/shared/assert-present.ts';
import { MAX_RERANKED } from '../../../src/shared/limits.ts';
import type { Random } from '../random.ts';
import type { ChooseList, RankedChunk, RankedList } from '../sources.ts';

/** Maximum number of edited chunks in a list of some candidates. */
const MAX_EDITED = 4;

/**
 * Returns the candidates that a search reranks, their scores standardized; null if the fix edits none of them. Lists for
 * measurement are kept in any case.
 */
export function chooseReranked(isMeasured: boolean): ChooseList {
  return (edited, ranking) => {
    const candidates = standardizeScores(ranking.slice(0, MAX_RERANKED));
    const known = new Set(edited);
    const found = candidates.flatMap(({ number }) => (known.has(number) ? [number] : []));
    return found.length > 0 || (isMeasured && candidates.length > 0)
      ? { candidates, edited: found }
      : null;
  };
}

/**
 * Returns `size` of the candidates that a search reranks: up to four edited ones, the unedited ones that rank first as half of the
 * others, and random ones. So the initial score says neither more nor less than in the whole list. Returns null if there are too
 * few candidates, or if the fix edits none of them.
 */
export function chooseSome(size: number, random: Random): ChooseList {
  return (allEdited, ranking) => {
    const whole = chooseReranked(false)(allEdited, ranking);
    if (!whole || whole.candidates.length < size) return null;
    const edited = random.some(whole.edited, MAX_EDITED);
    const others = whole.candidates.filter(({ number }) => !whole.edited.includes(number));
    const first = others.splice(0, Math.ceil((size - edited.length) / 2));
    const drawn = random.some(others, size - edited.length - first.length);
    const chosen = new Set([...edited, ...[...first, ...drawn].map(({ number }) => number)]);
    return { candidates: whole.candidates.filter(({ number }) => chosen.has(number)), edited };
  };
}

/** Replaces scores by (score − mean) / deviation; by zeros if all are the same. */
function standardizeScores(candidates: RankedChunk[]): RankedList['candidates'] {
  const scores = candidates.map(({ score }) => score);
  const center = mean(scores);
  const deviation = Math.sqrt(mean(scores.map((score) => (score - center) ** 2))) || 1;
  return candidates.map(({ number }, i) => ({
    number,
    score: (assertPresent(scores[i], 'a score') - center) / deviation,
  }));
}
