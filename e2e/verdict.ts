/** Combines the results of two tries of a spec. */
import type { Flaky } from './flaky.ts';

export interface Verdict {
  /** Tests that failed at both tries. */
  failed: string[];
  /** Tests that failed at one try and are listed as flaky. */
  known: string[];
  /** Tests that failed at one try and are not listed. */
  unnamed: string[];
}

/** Returns the verdict on a spec. `first` and `second` are the names of the tests that failed at each try. */
export function verdictOf(
  spec: string,
  first: readonly string[],
  second: readonly string[],
  flaky: readonly Flaky[],
): Verdict {
  const names = new Set(flaky.filter((each) => each.spec === spec).map(({ test }) => test));
  const both = new Set(first).intersection(new Set(second));
  const once = new Set(first).symmetricDifference(new Set(second));
  return {
    failed: [...both],
    known: [...once].filter((name) => names.has(name)),
    unnamed: [...once].filter((name) => !names.has(name)),
  };
}

/** Returns true if a run fails: a test failed twice, or too many unlisted tests are flaky. */
export const isBad = (verdicts: readonly Verdict[], mostUnnamed: number): boolean =>
  verdicts.some(({ failed }) => failed.length > 0) ||
  verdicts.flatMap(({ unnamed }) => unnamed).length > mostUnnamed;
