/**
 * Factor for the number of rounds of randomized tests. It is 1 in `npm test`. `npm run torture` sets `LOCUS_TORTURE` to a
 * larger one, and uses a new seed each time.
 */
const FACTOR = Number(process.env.LOCUS_TORTURE ?? 1);

/** Multiplies the number of rounds in `npm test` by `FACTOR`; at least 1. */
export function scaleRounds(count: number): number {
  return Math.max(1, Math.round(count * FACTOR));
}

/**
 * Seed of the random numbers of a test. It is fixed in `npm test`, so that runs repeat. A failing test prints it; set
 * `LOCUS_SEED` to it to reproduce the failure.
 */
export const SEED = Number(
  process.env.LOCUS_SEED ?? (FACTOR === 1 ? 1 : Math.floor(Math.random() * 2 ** 31)),
);

/** Returns a generator of uniform numbers in [0, 1) from a 32-bit seed (mulberry32, T. Ettinger, public domain). */
export function uniform(seed = SEED): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
