/** Intervals and tests by resampling. Random numbers are seeded, so equal values give equal results. */
import { assertPresent } from '../../shared/assert-present.ts';

const RESAMPLES = 10_000;
const SEED = 1;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}

/**
 * Computes the 95% interval of a mean: the 2.5th and 97.5th percentile of the means of resamples with replacement (Efron &
 * Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). For paired differences, this is the paired bootstrap.
 */
export function computeBootstrapInterval(values: readonly number[]): [low: number, high: number] {
  const random = createRandom(SEED);
  const n = values.length;
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += assertPresent(values[Math.floor(random() * n)], 'a value');
    return sum / n;
  }).sort();
  const quantile = (i: number) => assertPresent(means[i], 'a resampled mean');
  return [quantile(Math.floor(0.025 * RESAMPLES)), quantile(Math.ceil(0.975 * RESAMPLES) - 1)];
}

export interface MetricEstimate {
  mean: number;
  /** 95% confidence interval. */
  interval: [low: number, high: number];
}

export function estimateMean(values: readonly number[]): MetricEstimate {
  return { mean: mean(values), interval: computeBootstrapInterval(values) };
}

/** Normal quantile of a 95% interval. */
const Z = 1.959964;

/**
 * Estimates a share from `hits` of `count` cases, with Wilson's 95% interval (Journal of the American Statistical Association,
 * 1927). Unlike resampling, it says how little a few cases tell if all of them agree.
 */
export function estimateShare(hits: number, count: number): MetricEstimate {
  const share = hits / count;
  const spread = Z ** 2 / count;
  const center = (share + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((share * (1 - share)) / count + spread / (4 * count))) / (1 + spread);
  return { mean: share, interval: [Math.max(0, center - half), Math.min(1, center + half)] };
}

/**
 * Computes the two-sided p-value for the hypothesis that paired differences have mean 0, by flipping their signs at random
 * (Fisher's randomization test, which Smucker, Allan & Carterette, CIKM 2007, recommend for comparing rankings). Returns 1 if all are 0.
 */
export function runRandomizationTest(differences: readonly number[]): number {
  const random = createRandom(SEED);
  const nonZero = differences.filter((difference) => difference !== 0);
  const observed = Math.abs(nonZero.reduce((sum, difference) => sum + difference, 0));
  let extreme = 0;
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    for (const difference of nonZero) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed - 1e-9) extreme++;
  }
  return (extreme + 1) / (RESAMPLES + 1);
}

/** Returns a generator of numbers in [0, 1): mulberry32, which is small and good enough for resampling. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
