import type { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type { Calibration } from './confidence.ts';
import { type Forest, forestFile, forestOf } from './forest.ts';
import type { Evident } from './signals/signal.ts';

/** A linear model over standardised signals, and trees that add to it, as in a `ranker.json`. */
export interface Ranker {
  id: string;
  version: string;
  kind: 'linear' | 'trees';
  /** What the weights were fitted on, and how. */
  origin: string;
  /** By signal name; a signal without a weight weighs nothing. */
  weights: Record<string, number>;
  /** By signal: what differences of its values are divided by, instead of their deviation in the list. */
  deviations?: Record<string, number>;
  /** Of the kind `trees`. */
  forest?: Forest;
  /** How sure a ranking is; without it nothing is said of that. */
  calibration?: Calibration;
}

/** A ranker for people: its id and version. */
export function nameOf({ id, version }: Pick<Ranker, 'id' | 'version'>): string {
  return `${id} ${version}`;
}

/** What a file has in the place of the forest is checked before it is one. */
type RankerFile = Omit<Ranker, 'forest'> & { forest?: unknown };

const KINDS: readonly Ranker['kind'][] = ['linear', 'trees'];

/** A signal's values over the candidates and what they add to the scores. */
export interface Column {
  signal: Evident;
  values: Float64Array;
  weight: number;
  /** The deviation that values were divided by, where it was not their own. */
  given: number | undefined;
  /** (value - mean) / deviation over the candidates; NaN where a value is missing. */
  standardised: Float64Array;
  /** What the weight gives: weight * the standardised value, 0 where it is missing. */
  contributions: Float64Array;
}

/**
 * Checks that a ranker's file is one, and that every weight and every feature of its trees is of a known signal.
 * @throws LocusError `bad-model` that says what is wrong
 */
export function checkRanker(file: unknown, signals: readonly Evident[]): Ranker {
  const { forest: _, ...ranker } = { ...(file as RankerFile) };
  const isKnown = (name: string) => signals.some((signal) => signal.name === name);
  const weights = KINDS.includes(ranker.kind) ? Object.entries(ranker.weights ?? {}) : [];
  if (weights.length === 0) throw badRanker(ranker, 'no weights');
  const unknown = weights.filter(([name, weight]) => !Number.isFinite(weight) || !isKnown(name));
  if (unknown.length > 0) {
    const names = unknown.map(([name]) => name).join(', ');
    throw badRanker(ranker, `weights of unknown signals: ${names}`);
  }
  if (ranker.kind === 'linear') return ranker;
  const forest = forestFile.safeParse((file as RankerFile).forest);
  if (!forest.success) throw badRanker(ranker, `no sound trees: ${whyNot(forest.error)}`);
  const strange = forest.data.features.find(({ signal }) => !isKnown(signal));
  if (strange) throw badRanker(ranker, `trees that ask for an unknown signal: ${strange.signal}`);
  return { ...ranker, forest: forestOf(forest.data) };
}

function whyNot({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
}

function badRanker(ranker: { id?: string }, what: string): LocusError {
  return new LocusError(
    'bad-model',
    `the ranker ${ranker.id ?? ''} has ${what}`,
    'install Locus again; a new signal is listed in src/engine/search/signals/index.ts',
  );
}

/**
 * A column of (value - mean) / deviation, over the values that there are; 0 where all are equal.
 * @param values by candidate; NaN where one is missing.
 * @param given the deviation, where it is not that of these values
 */
export function standardise(
  signal: Evident,
  values: Float64Array,
  weight: number,
  given?: number,
): Column {
  const { mean, deviation: own } = spread(values);
  const deviation = given ?? own;
  const standardised = new Float64Array(values.length);
  const contributions = new Float64Array(values.length);
  // Indexed loops: there is a column for each signal, and a value for each of thousands of candidates.
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    const isKnown = !Number.isNaN(value);
    const steps = deviation > 1e-9 ? (value - mean) / deviation : 0;
    standardised[i] = isKnown ? steps : Number.NaN;
    contributions[i] = isKnown ? weight * steps : 0;
  }
  return { signal, values, weight, given, standardised, contributions };
}

/** Mean and standard deviation of the values that there are. */
function spread(values: Float64Array): { mean: number; deviation: number } {
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
