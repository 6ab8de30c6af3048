/** Keeps a process running: starts it, and restarts it after a crash. */
import { listedDelays, RetryTimer } from '../base/retry.ts';

export interface SupervisedProcess {
  /** Calls the listener when the process exits. `reason` is text for people. */
  onExit(listener: (reason: string) => void): void;
  /** Asks the process to exit. `kill` may follow soon, because a kill loses no data. */
  stop(): void;
  kill(): void;
}

export interface SupervisorEvents<P extends SupervisedProcess> {
  /** Called when a process has started. `crashes` is the number of earlier crashes. */
  onStart: (process: P, crashes: number) => void;
  /** Called after a crash. `inARow` counts crashes of short-lived processes. The process is restarted unless the supervisor is closed. */
  onCrash: (reason: string, inARow: number) => void;
}

/** Delays before a restart, in milliseconds, by the number of crashes in a row. */
const RESTART_DELAYS = [0, 500, 2000, 5000, 15_000] as const;
/** Milliseconds after which a process counts as stable. */
const STABLE_MS = 60_000;
const KILL_AFTER_MS = 5000;

export class Supervisor<P extends SupervisedProcess> {
  readonly #start: () => P;
  readonly #events: SupervisorEvents<P>;
  #process: P | null = null;
  readonly #retry = new RetryTimer(listedDelays(RESTART_DELAYS));
  #crashes = 0;
  #stopped: (() => void) | null = null;

  constructor(start: () => P, events: SupervisorEvents<P>) {
    this.#start = start;
    this.#events = events;
    this.#run();
  }

  /** Running process; null between a crash and the restart. */
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
    const killTimer = setTimeout(() => process.kill(), KILL_AFTER_MS);
    await ended;
    clearTimeout(killTimer);
  }

  #run(): void {
    const started = performance.now();
    const process = this.#start();
    this.#process = process;
    process.onExit((reason) => {
      this.#process = null;
      if (this.#stopped) return this.#stopped();
      if (performance.now() - started > STABLE_MS) this.#retry.reset();
      this.#crashes++;
      this.#retry.schedule(() => this.#run());
      this.#events.onCrash(reason, this.#retry.failures);
    });
    this.#events.onStart(process, this.#crashes);
  }
}
