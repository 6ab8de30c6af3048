/** How the time of a function grows with its input. */
import { runInThisContext } from 'node:vm';

/** Characters (or whatever the function's size is) that a function is run with. */
const SIZES = [5_000, 10_000, 20_000] as const;
/** Quadratic work on 5,000 characters takes longer than this; what does not is not measured further. */
const SOON_MS = 5;
/** Twice the input may take this many times as long: linear work takes 2, quadratic work 4. */
const RATIO = 3;
const REPEATS = 3;
const ATTEMPTS = 3;
/** Linear work on 20,000 characters is done by then. */
const DEADLINE_MS = 4_000;

/**
 * What is wrong with how a function's time grows, or null. Sizes double from 5,000 to 20,000; a function that is soon
 * done with the first is not measured further. Noise of the machine only adds time, so the shortest of a few runs
 * counts, and a suspicion has to be repeated.
 * @param run does the work for an input of a size; what is not part of it belongs into `prepare`.
 */
export function growthOf<Input>(prepare: (size: number) => Input, run: (input: Input) => unknown) {
  const timed = (size: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < REPEATS && least > SOON_MS; i++) {
      least = Math.min(least, timeOf(run, prepare(size)));
    }
    return least;
  };
  let found: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const times: number[] = [];
    for (const size of SIZES) {
      times.push(timed(size));
      if (times[0] < SOON_MS) return null;
      if (times.at(-1) === Number.POSITIVE_INFINITY) return `over ${DEADLINE_MS} ms for ${size}`;
    }
    const ratios = times.slice(1).map((time, i) => time / times[i]);
    if (ratios.every((ratio) => ratio < RATIO)) return null;
    found = `${times.map((time) => `${time.toFixed(0)} ms`).join(', ')} for ${SIZES.join(', ')}`;
  }
  return found;
}

const hooks = globalThis as unknown as { growthRun?: () => unknown };

/**
 * Milliseconds of processor time of this thread, so that what else runs on the machine counts little; infinite past the
 * deadline: a timeout of `vm` reaches into a matcher that backtracks.
 */
function timeOf<Input>(run: (input: Input) => unknown, input: Input): number {
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
