/**
 * How hard the tests try that draw at random. `npm test` runs a bounded number of rounds; `npm run torture` sets
 * `LOCUS_TORTURE` to a factor and runs that many times as many, of other draws each time.
 */
const FACTOR = Number(process.env.LOCUS_TORTURE ?? 1);

/** The number of rounds to run, given how many `npm test` can afford. */
export function rounds(bounded: number): number {
  return Math.max(1, Math.round(bounded * FACTOR));
}

/**
 * The seed of a test's draws, fixed in `npm test` so that it repeats itself. A failing test prints it; `LOCUS_SEED`
 * runs that draw again.
 */
export const SEED = Number(
  process.env.LOCUS_SEED ?? (FACTOR === 1 ? 1 : Math.floor(Math.random() * 2 ** 31)),
);

/** A generator of uniform numbers in [0, 1) from a 32-bit seed (mulberry32, T. Ettinger, public domain). */
export function uniform(seed = SEED): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
