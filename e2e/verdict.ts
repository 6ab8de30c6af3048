/** What two tries of a spec say of its tests. */
import type { Flaky } from './flaky.ts';

export interface Verdict {
  /** Failed at both tries. */
  failed: string[];
  /** Failed at one of them, and are known to. */
  known: string[];
  /** Failed at one of them, and nobody has named them yet. */
  unnamed: string[];
}

/** `first` and `second`: the tests that failed at each try, by name. */
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

/** Whether a run fails by the verdicts of its specs: by a test that failed twice, or by more flakes without a name than may be. */
export const isBad = (verdicts: readonly Verdict[], mostUnnamed: number): boolean =>
  verdicts.some(({ failed }) => failed.length > 0) ||
  verdicts.flatMap(({ unnamed }) => unnamed).length > mostUnnamed;
