import { countTokens } from '../../../src/mcp/answer.ts';

/** An agent that has not found the place by then goes on by other means. */
export const MAX_CALLS = 20;

/** Lines of files, by path; 1-based. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** What it took to have an edited line in front of one. */
export interface Attempt {
  found: boolean;
  calls: number;
  /** Of what the agent wrote to call and of what it got to read. */
  tokens: number;
}

/** Counts an attempt as it goes. */
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

  /** @param said what the agent wrote for the call; `got` what it read. */
  call(said: string, got: string): void {
    this.calls++;
    this.tokens += countTokens(said) + countTokens(got);
  }

  /** Lines `first` to `last` of a file were shown. */
  saw(path: string, first: number, last: number): void {
    for (const line of this.#edited.get(path) ?? []) {
      if (first <= line && line <= last) this.found = true;
    }
  }
}
