/** Measures how busy other processes keep the machine, so that background work can wait for them. */
import { cpus } from 'node:os';
import { pause } from '../base/cancel.ts';

/** Share of all processors used by others above which the machine counts as busy, as during a build. */
const MAX_SHARE_OF_OTHERS = 0.4;
const POLL_MS = 5_000;

/** Processor time in milliseconds since some start: of the whole machine, its busy part, and the part of this process. */
export interface ProcessorTimes {
  total: number;
  busy: number;
  own: number;
}

export function readProcessorTimes(): ProcessorTimes {
  const all = cpus().map(({ times }) => times);
  const total = all.reduce(
    (sum, { user, nice, sys, irq, idle }) => sum + user + nice + sys + irq + idle,
    0,
  );
  const idle = all.reduce((sum, { idle }) => sum + idle, 0);
  const { user, system } = process.cpuUsage();
  return { total, busy: total - idle, own: (user + system) / 1000 };
}

/** Measures the load between two calls. */
export class MachineLoad {
  readonly #read: () => ProcessorTimes;
  #before: ProcessorTimes;

  constructor(read = readProcessorTimes) {
    this.#read = read;
    this.#before = read();
  }

  /** Returns true if other processes used much of the processors since the last call. Without a measurement, returns false. */
  isBusy(): boolean {
    const before = this.#before;
    const now = this.#read();
    this.#before = now;
    const total = now.total - before.total;
    const others = now.busy - before.busy - (now.own - before.own);
    return total > 0 && others / total > MAX_SHARE_OF_OTHERS;
  }

  /** Resolves when the machine is no longer busy. @throws LocusError `cancelled` */
  async waitUntilIdle(signal: AbortSignal | undefined, pollMs = POLL_MS): Promise<void> {
    while (this.isBusy()) await pause(pollMs, signal, 'Embedding the repository');
  }
}
