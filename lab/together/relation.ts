/** What relates chunks, as a file beside the lists has it: for a second pass that knows what the first results are. */

/** The kinds, each of another chunk to a first one: it overrides it, is called by it, and so on. */
export const KINDS = [
  'overrides',
  'overridden',
  'twin',
  'called',
  'calls',
  'usesSame',
  'initializer',
  'classOf',
  'member',
  'inherits',
  'base',
  'sameClass',
  'sameName',
  'changedWith',
  'sameFile',
] as const;

export type Kind = (typeof KINDS)[number];

/** The relations of one issue. Places are those of the list; behind them may come edited chunks that it lacks. */
export interface Relations {
  instance: string;
  /** How many chunks: candidates, and edited chunks that are none. */
  chunks: number;
  /** `KINDS`. */
  kinds: string[];
  /** What the chunks are related by to each of the first ones, and to the first that is edited. */
  of: Related[];
}

export interface Related {
  /** The place of the chunk that the others are related to. */
  place: number;
  /** [place, kind, value] of what is there; 1 where the chunk is the only one so related, less where it is one of many. */
  pairs: [number, number, number][];
  /** By place: BM25F of the words of the issue that the first chunk has, and of those that it lacks. */
  explained: number[];
  rest: number[];
  /** By place: how like the first chunk it is, 1 at most. */
  alike: number[];
}

/** What each of so many is worth. */
export function shared(count: number): number {
  return 1 / Math.sqrt(Math.max(1, count));
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
