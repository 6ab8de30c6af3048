import type { MarksByAddress } from '../search/index.ts';

/** Counts the results with a mark. A note alone is not a mark. */
export const countMarks = ({ marks }: { marks: MarksByAddress }): number =>
  marks.values().reduce((count, { mark }) => count + (mark ? 1 : 0), 0);
