/** Lifetimes: what stops, what is replaced by the next. */

/** Ends what was started: a subscription, a timer, a feature. */
export type Stop = () => void;

/** Returns a function that stops all of these, in reverse order. */
export function stopAll(...stops: readonly Stop[]): Stop {
  return () => {
    for (const stop of stops.toReversed()) stop();
  };
}

/** Listens for an event of the window. */
export function listen<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
  options?: AddEventListenerOptions,
): Stop {
  window.addEventListener(name, listener, options);
  return () => window.removeEventListener(name, listener, options);
}

/** A timer with one action at most: setting another one replaces it. */
export class Timer {
  #id: ReturnType<typeof setTimeout> | undefined;

  set(action: () => void, afterMs: number): void {
    this.clear();
    this.#id = setTimeout(action, afterMs);
  }

  clear(): void {
    clearTimeout(this.#id);
  }
}

/** A place for one request at a time: beginning another one cancels it. */
export class LatestRequest {
  #controller: AbortController | null = null;

  /** Cancels the request before. The signal of the new one is aborted as soon as its answer is of no use. */
  begin(): AbortSignal {
    this.cancel();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller?.abort();
  }

  /** Returns true until another request begins, also for one that was cancelled. */
  isLatest(signal: AbortSignal): boolean {
    return this.#controller?.signal === signal;
  }
}
