/** Keeps an engine process running: starts it, and starts it again when it ends without having been told to. */

/** A process of the engine, however the host started it. */
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
  onCrash: (reason: string) => void;
}

/** Waits before the next start, in milliseconds, by the number of crashes in a row. */
const WAITS = [0, 500, 2000, 5000, 15_000];
/** A process that ran this long counts as sound. */
const SOUND_MS = 60_000;
const STOP_MS = 5000;

export class Supervisor<P extends EngineProcess> {
  readonly #start: () => P;
  readonly #events: SupervisorEvents<P>;
  #process: P | null = null;
  #timer: NodeJS.Timeout | null = null;
  #inARow = 0;
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

  /** Ends the process for good. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
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
    const started = Date.now();
    const process = this.#start();
    this.#process = process;
    process.onExit((reason) => {
      this.#process = null;
      if (this.#stopped) return this.#stopped();
      if (Date.now() - started > SOUND_MS) this.#inARow = 0;
      this.#crashes++;
      this.#events.onCrash(reason);
      const wait = WAITS[Math.min(this.#inARow++, WAITS.length - 1)];
      this.#timer = setTimeout(() => this.#run(), wait);
    });
    this.#events.onStart(process, this.#crashes);
  }
}
