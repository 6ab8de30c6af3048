/** Measures how the time of a function grows with its input. */
import { runInThisContext } from 'node:vm';

/** Smallest input, in characters or the unit of the function. */
const FIRST_SIZE = 5_000;
/** Quadratic work on the smallest input takes longer. A faster function is not measured further. */
const FAST_MS = 5;
/** Factor between the sizes that are compared. */
const STEP = 4;
/** Largest accepted growth of the time from one size to the next: linear work takes 4 times as long, quadratic work 16. */
const MAX_GROWTH = 9;
/** Sizes that have to grow too much, each in comparison with the one before, since short times vary. */
const CONFIRMATIONS = 2;
const REPEATS = 3;
/** A run that takes longer varies little, and is not repeated. */
const LONG_MS = 500;
/** Limit for one run. Linear work on the largest input takes less. */
const DEADLINE_MS = 5_000;

/**
 * Returns a description of superlinear growth of a function's time, or null if none exists. Each size is compared with
 * one four times as large; a function that is fast on the first is not measured further. Other work of the machine only
 * adds time, so the shortest of a few runs counts, and larger inputs have to confirm a suspicion.
 * @param run the work to measure; all else belongs into `prepare`
 */
export function findSuperlinearGrowth<Input>(
  prepare: (size: number) => Input,
  run: (input: Input) => unknown,
) {
  const measured: string[] = [];
  const measureBest = (size: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < REPEATS && least > FAST_MS; i++) {
      least = Math.min(least, measureTime(run, prepare(size)));
      if (least > LONG_MS) break;
    }
    measured.push(`${least.toFixed(0)} ms for ${size}`);
    return least;
  };
  let size = FIRST_SIZE;
  let time = measureBest(size);
  if (time < FAST_MS) return null;
  for (let i = 0; i < CONFIRMATIONS && time < Number.POSITIVE_INFINITY; i++) {
    size *= STEP;
    const longer = measureBest(size);
    if (longer < time * MAX_GROWTH) return null;
    time = longer;
  }
  return measured.join(', ');
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
