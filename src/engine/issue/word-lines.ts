import type { ClassifiedLine } from './line-kinds.ts';

/**
 * Maximum UTF-16 units of the lines whose words are searched for: at the beginning of an issue, at its end, and of tracebacks
 * between them. A long text describes the problem at its beginning, and a log has the last error at its end.
 */
export const MAX_HEAD = 150_000;
export const MAX_TAIL = 50_000;
const MAX_TRACEBACKS = 50_000;

/** Chooses the lines of an issue whose words are searched for: all lines, unless the issue is very long. */
export class WordLines {
  readonly #head: ClassifiedLine[] = [];
  #headSize = 0;
  readonly #tracebacks: ClassifiedLine[] = [];
  #tracebacksSize = 0;
  /** Lines after the head; those before `#tailStart` are no longer part of it. */
  #tail: ClassifiedLine[] = [];
  #tailStart = 0;
  #tailSize = 0;
  /** True if lines were left out. */
  isLimited = false;

  /** Returns the chosen lines, in order. */
  get lines(): ClassifiedLine[] {
    return [...this.#head, ...this.#tracebacks, ...this.#tail.slice(this.#tailStart)];
  }

  /** Adds the next line. */
  add(line: ClassifiedLine): void {
    const size = line.whole.length;
    if (this.#tail.length === 0 && this.#headSize + size <= MAX_HEAD) {
      this.#headSize += size;
      this.#head.push(line);
      return;
    }
    this.#tail.push(line);
    this.#tailSize += size;
    while (this.#tailSize > MAX_TAIL) this.#shortenTail();
  }

  #shortenTail(): void {
    const line = this.#tail[this.#tailStart++];
    if (!line) return;
    const size = line.whole.length;
    this.#tailSize -= size;
    if (line.kind === 'traceback' && this.#tracebacksSize + size <= MAX_TRACEBACKS) {
      this.#tracebacksSize += size;
      this.#tracebacks.push(line);
    } else this.isLimited = true;
    // Removing lines one by one would take quadratic time.
    if (this.#tailStart * 2 > this.#tail.length) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }
}
