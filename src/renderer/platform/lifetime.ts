/** Helpers for stopping listeners, replacing timers and cancelling outdated requests. */

/** Function that stops a subscription, a timer or a feature. */
export type Stop = () => void;

/** Returns a function that calls all of these in reverse order. */
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

/** A timer with at most one action. Setting another action replaces it. */
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

/** Allows one request at a time. Starting another one cancels it. */
export class LatestRequest {
  #controller: AbortController | null = null;

  /** Cancels the previous request. Returns a signal for the new one, which is aborted when its answer is no longer needed. */
  begin(): AbortSignal {
    this.cancel();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller?.abort();
  }

  /** Returns true until another request starts, even if this one was cancelled. */
  isLatest(signal: AbortSignal): boolean {
    return this.#controller?.signal === signal;
  }
}
