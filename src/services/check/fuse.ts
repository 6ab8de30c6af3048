/**
 * Combines the order of the list with a language model's. The model's answers show how much it can be trusted: its first choices have
 * evidence, and its reasons fit the functions that they are about. The numbers were chosen with `npm run -s lab -- fuse-checks`.
 */
import type { CheckFusion } from '../../shared/check.ts';
import type { Answer } from './answer.ts';
import type { Candidate } from './candidates.ts';

/** Trust before the first answer of a model, and its limits. Trust is the logarithm of odds; 0 is undecided. */
export const START_TRUST = 0.5;
const MAX_TRUST = 2;
/** Trust without any reason in an answer, at most: nothing shows then that it is about this issue. */
const MAX_SILENT_TRUST = 0;

/** Number of first choices whose evidence counts, and the scale of the engine's scores. */
const CHOICES = 3;
const SCALE = 0.5;
/** Share of a reason's words in its function above which more say nothing. */
const MAX_FIT = 0.5;
/** Length from which words count, and to which they are cut, so that forms of a word are one. */
const WORD = /[a-z]{3,}/g;
const STEM = 6;
const STOP_WORDS = new Set(
  listStems(
    'the and not for with from that this should must only into when which instead uses use does add are its but has have than also can before after method function class code value returns return call calls called where what',
  ),
);

/** Evidence of an answer for or against its model. */
export type AnswerTraits = Pick<CheckFusion, 'agreement' | 'fit'>;

/** Measures how well an answer agrees with the evidence for the candidates, and how well its reasons fit their functions. */
export function measureAnswer(
  candidates: readonly Candidate[],
  { order, edits }: Pick<Answer, 'order' | 'edits'>,
): AnswerTraits {
  const scores = candidates.map(({ chunk }) => chunk.score);
  const fits = [...edits].flatMap(([index, reason]) => {
    const candidate = candidates[index];
    return candidate ? measureFit(reason, candidate) : [];
  });
  const fit = fits.length === 0 ? null : fits.reduce((sum, one) => sum + one, 0) / fits.length;
  return { agreement: measureAgreement(scores, order), fit };
}

/**
 * Returns the mean evidence for a model's first choices: the logarithm of their probability by the engine's scores (softmax), divided
 * by that of a random choice. It is 0 for choices as likely as random ones.
 * @param order indexes of the scores
 */
export function measureAgreement(scores: readonly number[], order: readonly number[]): number {
  const top = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(SCALE * (score - top)));
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const choices = order.slice(0, CHOICES).map((index) => Math.log((weights[index] ?? 0) / mean));
  return choices.reduce((sum, choice) => sum + choice, 0) / choices.length;
}

/** Returns the share of a reason's words that occur in its function; nothing for a reason without words. */
function measureFit(reason: string, { chunk, excerpt }: Candidate): number[] {
  const words = listStems(reason).filter((word) => !STOP_WORDS.has(word));
  if (words.length === 0) return [];
  const { kind, qualifiedName, path } = chunk;
  const known = new Set(listStems(`${kind} ${qualifiedName} ${path} ${excerpt}`));
  return [words.filter((word) => known.has(word)).length / words.length];
}

function listStems(text: string): string[] {
  const parts = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return Array.from(parts.matchAll(WORD), ([word]) => word.slice(0, STEM));
}

/** Updates the trust in a model by another answer. */
export function updateTrust(trust: number, { agreement, fit }: AnswerTraits): number {
  const evidence = 1.5 * Math.max(-1, Math.min(agreement, 1));
  const words = fit === null ? -0.5 : 4 * Math.min(fit, MAX_FIT) - 1.2;
  return Math.max(-MAX_TRUST, Math.min(trust + evidence + words, MAX_TRUST));
}

/** Returns the weight of a model's order, from 0 to 1. */
export function getWeight(trust: number, { fit }: Pick<AnswerTraits, 'fit'>): number {
  const used = fit === null ? Math.min(trust, MAX_SILENT_TRUST) : trust;
  return 1 / (1 + Math.exp(-used));
}

/**
 * Combines the order of a list with a model's by weighted reciprocal ranks, after Cormack et al., *Reciprocal Rank Fusion*, SIGIR 2009.
 * @param order indexes in the model's order; those that it leaves out follow in the order of the list
 * @param weight of the model's order, from 0 to 1
 * @returns all indexes
 */
export function fuseOrders(count: number, order: readonly number[], weight: number): number[] {
  const whole = [...new Set([...order, ...Array(count).keys()])];
  const score = new Map(
    whole.map((index, at) => [index, (1 - weight) / (index + 1) + weight / (at + 1)]),
  );
  const getScore = (index: number) => score.get(index) ?? 0;
  return whole.toSorted((a, b) => getScore(b) - getScore(a) || a - b);
}

/** Weight below which people are told about it. */
const LITTLE = 0.4;

/** Says why a model's order counts little; nothing if it counts. */
export function describeWeight({ weight, agreement, fit }: CheckFusion): string[] {
  if (weight >= LITTLE) return [];
  const reasons = [
    ...(agreement < 0 ? ['it prefers functions with little evidence'] : []),
    ...(fit === null ? ['it gives no reasons'] : []),
    ...(fit !== null && fit < 0.15 ? ['its reasons do not fit the functions'] : []),
  ];
  const why = reasons.length > 0 ? reasons.join(' and ') : 'its answers before did not fit';
  return [`The model’s order counts only ${Math.round(100 * weight)}%, because ${why}.`];
}
