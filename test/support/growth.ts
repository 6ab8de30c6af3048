/** Measures how the time of a function grows with its input. */
import { runInThisContext } from 'node:vm';

/** Sizes of the inputs, in characters or the unit of the function. */
const SIZES = [5_000, 10_000, 20_000] as const;
/** Quadratic work on 5,000 characters takes longer. A faster function is not measured further. */
const FAST_MS = 5;
/** Largest accepted growth of the time when the input doubles: linear work takes 2, quadratic work 4. */
const MAX_RATIO = 3;
const REPEATS = 3;
const ATTEMPTS = 3;
/** Limit for one run. Linear work on 20,000 characters takes less. */
const DEADLINE_MS = 4_000;

/**
 * Returns a description of superlinear growth of a function's time, or null if none exists. Sizes double from 5,000
 * to 20,000; a function that is fast on the first is not measured further. Other work of the machine only adds time, so
 * the shortest of a few runs counts, and a suspicion has to be confirmed by further attempts.
 * @param run the work to measure; all else belongs into `prepare`
 */
export function findSuperlinearGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
) {
  const measureBest = (size: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < REPEATS && least > FAST_MS; i++) {
      least = Math.min(least, measureTime(run, prepare(size)));
    }
    return least;
  };
  let found: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const times: number[] = [];
    for (const size of SIZES) {
      times.push(measureBest(size));
      if (times[0] < FAST_MS) return null;
      if (times.at(-1) === Number.POSITIVE_INFINITY) return `over ${DEADLINE_MS} ms for ${size}`;
    }
    const ratios = times.slice(1).map((time, i) => time / times[i]);
    if (ratios.every((ratio) => ratio < MAX_RATIO)) return null;
    found = `${times.map((time) => `${time.toFixed(0)} ms`).join(', ')} for ${SIZES.join(', ')}`;
  }
  return found;
}

const hooks = globalThis as unknown as { growthRun?: () => unknown };

/**
 * Returns the processor time of this thread in milliseconds, which other processes hardly affect; infinity past the
 * deadline. The timeout of `vm` also interrupts a matcher that backtracks.
 */
function measureTime<Input>(run: (input: Input) => unknown, input: Input): number {
  hooks.growthRun = () => run(input);
  const start = process.threadCpuUsage();
  try {
    runInThisContext('growthRun()', { timeout: DEADLINE_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return Number.POSITIVE_INFINITY;
  }
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
