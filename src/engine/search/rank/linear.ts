/** The ranker that comes with Locus: a linear model over standardized signals. */
import { LocusError } from '../../../shared/errors.ts';
import type { Candidates } from '../gather/gather.ts';
import { type Calibration, estimateConfidence, measureConfidenceEvidence } from './confidence.ts';
import type { MeasuredSignal, Ranker, Ranking, WeightedSignal } from './ranking.ts';
import type { ExplainedSignal } from './signals/signal.ts';

export interface LinearModel {
  id: string;
  version: string;
  kind: 'linear';
  /** Data and method used to fit the weights. */
  origin: string;
  weights: Record<string, number>;
  /** Divisors of values, by signal name. Used instead of the deviation within the list. */
  deviations?: Record<string, number>;
  /** Calibration of the confidence; without it, confidence is unknown. */
  calibration?: Calibration;
}

/** Minimum number of chunks for a confidence. The smallest repository of the calibration data has a few hundred. */
const MIN_FOR_CONFIDENCE = 200;

export class LinearRanker implements Ranker {
  readonly name: string;
  readonly #model: LinearModel;

  constructor(model: LinearModel) {
    this.name = `${model.id} ${model.version}`;
    this.#model = model;
  }

  weigh(measured: readonly MeasuredSignal[], candidates: Candidates): WeightedSignal[] {
    const { deviations } = this.#model;
    return measured.map((one) => ({
      ...one,
      contributions: standardize(
        one.values,
        this.#weightOf(one.signal, candidates),
        deviations?.[one.signal.name],
      ),
    }));
  }

  /** Returns null if the case was not calibrated: few chunks, a list changed by marks, or a ranking without embeddings. */
  measureConfidence(ranking: Ranking): number | null {
    const { calibration } = this.#model;
    const { considered, marks, similarities } = ranking.candidates;
    if (!calibration || considered < MIN_FOR_CONFIDENCE || marks || !similarities) return null;
    return estimateConfidence(calibration, measureConfidenceEvidence(ranking, calibration.places));
  }

  #weightOf(signal: ExplainedSignal, { request, marks }: Candidates): number {
    if (signal.name === 'role' && request.tests === 'include') return 0;
    const weight = this.#model.weights[signal.name] ?? 0;
    const isFromPositiveMarks = signal.family === 'marks' && signal.name !== 'likeRejected';
    return isFromPositiveMarks ? weight * (marks?.strength ?? 0) : weight;
  }
}

/**
 * Checks that every weight of a linear model belongs to a known signal.
 * @throws LocusError `bad-model`
 */
export function checkLinearModel(file: unknown, signals: readonly ExplainedSignal[]): LinearModel {
  const model = { ...(file as LinearModel) };
  const isKnown = (name: string) => signals.some((signal) => signal.name === name);
  const weights = model.kind === 'linear' ? Object.entries(model.weights ?? {}) : [];
  if (weights.length === 0) throw badModel(model, 'no weights');
  const unknown = weights.filter(([name, weight]) => !Number.isFinite(weight) || !isKnown(name));
  if (unknown.length > 0) {
    const names = unknown.map(([name]) => name).join(', ');
    throw badModel(model, `weights of unknown signals: ${names}`);
  }
  return model;
}

function badModel({ id = '' }: { id?: string }, defect: string): LocusError {
  return new LocusError(
    'bad-model',
    `The ranker ${id} has ${defect}.`,
    'Install Locus again. If you added a signal, list it in src/engine/search/rank/signals.',
  );
}

/**
 * Returns weight * (value - mean) / deviation for each value; 0 if the value is missing or all values are equal.
 * @param values values by candidate; NaN if missing
 * @param deviation the deviation of `values` by default
 */
export function standardize(
  values: Float64Array,
  weight: number,
  deviation?: number,
): Float64Array {
  const { mean, deviation: own } = measureSpread(values);
  const divisor = deviation ?? own;
  const standardized = new Float64Array(values.length);
  if (!(divisor > 1e-9)) return standardized;
  // Indexed loops are faster: there are dozens of signals, each with thousands of values.
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isNaN(value)) standardized[i] = weight * ((value - mean) / divisor);
  }
  return standardized;
}

function measureSpread(values: Float64Array): { mean: number; deviation: number } {
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
  }
  const mean = sum / count;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  }
  return { mean, deviation: Math.sqrt(squares / count) };
}
