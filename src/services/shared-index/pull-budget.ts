/** Bounds of a pull that nobody asked for: it may cost no more than what it saves. */

/**
 * Milliseconds for finding out what is published: a few answers, which take a second or two from a slow server. It is what somebody
 * waits before their own first search begins.
 */
const FIND_MS = 15_000;

/**
 * Milliseconds for the rest, and by byte of the repository's sources. Indexing reads about 0.5 MB of sources a second on a laptop with the
 * smallest model (docs/measurements.md); a pull may take twice as long, since it also brings history and spares the processor.
 */
const TAKE_MS = 15_000;
const TAKE_MS_PER_BYTE = 4 / 1000;

/** Bytes that may arrive, and by byte of sources. An index, compressed, has about four times as many bytes as its sources. */
const BYTES = 32 * 2 ** 20;
const BYTES_PER_SOURCE_BYTE = 16;

/** Time and bytes of one pull, from the first request to the last part. Its signal aborts when either is used up. */
export class PullBudget {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #factor: number;
  #timer: NodeJS.Timeout;
  #bytesLeft: number;

  /** @param factor scales all limits; 1 by default. */
  constructor(factor = 1) {
    this.#factor = factor;
    this.signal = this.#controller.signal;
    this.#bytesLeft = factor * BYTES;
    this.#timer = this.#abortAfter(FIND_MS);
  }

  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#controller.abort();
  }

  /** Grants what taking an index may cost, now that one was found. @param sources bytes of the repository's sources. */
  grant(sources: number): void {
    this.#bytesLeft += this.#factor * BYTES_PER_SOURCE_BYTE * sources;
    clearTimeout(this.#timer);
    this.#timer = this.#abortAfter(TAKE_MS + TAKE_MS_PER_BYTE * sources);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), this.#factor * ms);
  }
}
