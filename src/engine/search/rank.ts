import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type { Calibration } from './confidence.ts';
import type { Evident } from './signals/signal.ts';

/** A linear model over standardised signals, as in a `ranker.json`. */
export interface Ranker {
  id: string;
  version: string;
  kind: 'linear';
  /** What the weights were fitted on, and how. */
  origin: string;
  /** By signal name; a signal without a weight weighs nothing. */
  weights: Record<string, number>;
  /** By signal: what differences of its values are divided by, instead of their deviation in the list. */
  deviations?: Record<string, number>;
  /** How sure a ranking is; without it nothing is said of that. */
  calibration?: Calibration;
}

/** A ranker for people: its id and version. */
export function nameOf({ id, version }: Pick<Ranker, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** A signal's values over the candidates and what they add to the scores. */
export interface Column {
  signal: Evident;
  values: Float64Array;
  weight: number;
  /** The deviation that values were divided by, where it was not their own. */
  given: number | undefined;
  /** weight * the standardised value */
  contributions: Float64Array;
}

/** Checks that a ranker's file is one and that every weight is of a known signal. */
export function checkRanker(file: unknown, signals: readonly Evident[]): Ranker {
  const ranker = file as Ranker;
  const weights = ranker?.kind === 'linear' ? Object.entries(ranker.weights ?? {}) : [];
  const unknown = weights.filter(([name, weight]) => {
    return !Number.isFinite(weight) || !signals.some((signal) => signal.name === name);
  });
  if (weights.length === 0 || unknown.length > 0) {
    const what =
      unknown.length > 0
        ? `weights of unknown signals: ${unknown.map(([name]) => name).join(', ')}`
        : 'no weights';
    throw new LocusError(
      'bad-model',
      `the ranker ${ranker?.id ?? ''} has ${what}`,
      'install Locus again; a new signal is listed in src/engine/search/signals/index.ts',
    );
  }
  return ranker;
}

/**
 * A column of (value - mean) / deviation, over the values that there are; 0 where all are equal or the value is missing.
 * @param values by candidate; NaN where one is missing.
 * @param given the deviation, where it is not that of these values
 */
export function standardise(
  signal: Evident,
  values: Float64Array,
  weight: number,
  given?: number,
): Column {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  const deviation = given ?? Math.sqrt(variance);
  const contributions = values.map((value) =>
    deviation > 1e-9 && !Number.isNaN(value) ? weight * ((value - mean) / deviation) : 0,
  );
  return { signal, values, weight, given, contributions };
}

/** The sum of all contributions, by candidate. */
export function totals(columns: readonly Column[], length: number): Float64Array {
  const scores = new Float64Array(length);
  for (const { contributions } of columns) {
    for (let i = 0; i < length; i++) {
      scores[i] = present(scores[i], 'a score') + present(contributions[i], 'a contribution');
    }
  }
  return scores;
}
