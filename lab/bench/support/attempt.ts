import { countTokens } from '../../../src/mcp/answer.ts';

/** Maximum number of calls. An agent that has not found the code by then continues by other means. */
export const MAX_CALLS = 20;

/** Lines of files, by path; 1-based. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** Cost of an attempt to find an edited line. */
export interface Attempt {
  found: boolean;
  calls: number;
  /** Tokens that the agent wrote for its calls and read in the answers. */
  tokens: number;
}

/** Counts the calls and tokens of an attempt. */
export class Count implements Attempt {
  found = false;
  calls = 0;
  tokens = 0;
  readonly #edited: Lines;

  constructor(edited: Lines) {
    this.#edited = edited;
  }

  get over(): boolean {
    return this.found || this.calls >= MAX_CALLS;
  }

  /**
   * Counts a call.
   * @param said text that the agent wrote for the call
   * @param got text that it read
   */
  call(said: string, got: string): void {
    this.calls++;
    this.tokens += countTokens(said) + countTokens(got);
  }

  /** Notes that lines `first` to `last` of a file were shown. */
  saw(path: string, first: number, last: number): void {
    for (const line of this.#edited.get(path) ?? []) {
      if (first <= line && line <= last) this.found = true;
    }
  }
}
