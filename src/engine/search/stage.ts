/** What a ranker makes of measured signals; the first step of a search has one ranker, the second another. */
import type { SearchRequest } from '../../shared/search.ts';
import type { Candidates } from './candidates.ts';
import { confidenceOf } from './confidence.ts';
import { evidenceOfConfidence } from './confidence-evidence.ts';
import type { MarkEvidence } from './feedback.ts';
import { type Column, type Ranker, standardise } from './rank.ts';
import type { Parts, Ranking } from './ranking.ts';
import type { Evident } from './signals/signal.ts';

/** A signal with its values, by candidate. */
export type Measured = Pick<Column, 'signal' | 'values'>;

/** What a ranker makes scores of: columns with the weights that it gives signals for a request, and its trees. */
export function weigh(
  measured: readonly Measured[],
  { marks }: Pick<Candidates, 'marks'>,
  ranker: Ranker,
  request: SearchRequest,
): Parts {
  const columns = measured.map(({ signal, values }) =>
    standardise(
      signal,
      values,
      weightOf(signal, ranker, request, marks),
      ranker.deviations?.[signal.name],
    ),
  );
  return { columns, forest: ranker.forest };
}

function weightOf(
  signal: Evident,
  { weights }: Ranker,
  { tests }: SearchRequest,
  marks: MarkEvidence | null,
): number {
  if (signal.name === 'role' && tests === 'include') return 0;
  const weight = weights[signal.name] ?? 0;
  const ofPositive = signal.family === 'marks' && signal.name !== 'likeRejected';
  return ofPositive ? weight * (marks?.strength ?? 0) : weight;
}

/** Chunks; the smallest repository that confidence was calibrated on has a few hundred. */
const LEAST_FOR_CONFIDENCE = 200;

/**
 * How sure a ranking is. Null where it was not calibrated for: few chunks, a list that marks made, a ranking without
 * embeddings.
 */
export function confidenceIn(ranking: Ranking, { calibration }: Ranker): number | null {
  const { considered, marks, similarities } = ranking.candidates;
  if (!calibration || considered < LEAST_FOR_CONFIDENCE || marks || !similarities) return null;
  return confidenceOf(calibration, evidenceOfConfidence(ranking, calibration.places));
}
