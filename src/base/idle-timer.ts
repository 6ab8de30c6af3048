/** Calls back after a while without work, to free memory that is quick to fill again. Keeps no process running. */
export class IdleTimer {
  readonly #milliseconds: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = milliseconds;
    this.#onIdle = onIdle;
  }

  /** Starts to wait, again if it waits already. Call when work ends. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onIdle, this.#milliseconds).unref();
  }

  /** Stops waiting. Call when work begins, and when there will be none any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
