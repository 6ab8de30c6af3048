/** Keeps an engine process running: starts it, and starts it again when it ends without having been told to. */
import { listedDelays, RetryTimer } from '../base/retry.ts';

export interface EngineProcess {
  /** `reason` in words, for people. */
  onExit(listener: (reason: string) => void): void;
  /** Asks it to end; it stores nothing that a kill would lose, so `kill` may follow soon. */
  stop(): void;
  kill(): void;
}

export interface SupervisorEvents<P extends EngineProcess> {
  /** A process runs: connect the windows to it. `crashes` ended before it without being asked to. */
  onStart: (process: P, crashes: number) => void;
  /** A process ended without being asked to, the last one of so many that did not run for long. Another start follows unless it is closed. */
  onCrash: (reason: string, inARow: number) => void;
}

/** Waits before the next start, in milliseconds, by the number of crashes in a row. */
const WAITS = [0, 500, 2000, 5000, 15_000] as const;
/** A process that ran this long counts as sound. */
const SOUND_MS = 60_000;
const STOP_MS = 5000;

export class Supervisor<P extends EngineProcess> {
  readonly #start: () => P;
  readonly #events: SupervisorEvents<P>;
  #process: P | null = null;
  readonly #retry = new RetryTimer(listedDelays(WAITS));
  #crashes = 0;
  #stopped: (() => void) | null = null;

  constructor(start: () => P, events: SupervisorEvents<P>) {
    this.#start = start;
    this.#events = events;
    this.#run();
  }

  /** The process that runs now; null between a crash and the next start. */
  get process(): P | null {
    return this.#process;
  }

  async close(): Promise<void> {
    this.#retry.stop();
    const process = this.#process;
    if (!process) return;
    const ended = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    process.stop();
    const patience = setTimeout(() => process.kill(), STOP_MS);
    await ended;
    clearTimeout(patience);
  }

  #run(): void {
    const started = performance.now();
    const process = this.#start();
    this.#process = process;
    process.onExit((reason) => {
      this.#process = null;
      if (this.#stopped) return this.#stopped();
      if (performance.now() - started > SOUND_MS) this.#retry.reset();
      this.#crashes++;
      this.#retry.schedule(() => this.#run());
      this.#events.onCrash(reason, this.#retry.failures);
    });
    this.#events.onStart(process, this.#crashes);
  }
}
