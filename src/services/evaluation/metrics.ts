/**
 * Measures of a ranking, given the chunks that a fix edited. docs/explanation/evaluation.md defines them and names their sources.
 * Each is a number from 0 to 1 for one issue; reports show means.
 */
import type { ChunkSummary } from '../../shared/chunk.ts';

/** Ranks of the edited chunks, classes and files, from 1; null for one that is not in the ranking. */
export interface LevelRanks {
  chunk: (number | null)[];
  class: (number | null)[];
  file: (number | null)[];
}
type Level = keyof LevelRanks;

const LEVELS: readonly Level[] = ['chunk', 'class', 'file'];

/** Identity of a chunk at each level: the chunk itself, its outermost definition, its file. */
const KEYS: Record<Level, (chunk: ChunkIdentity) => string> = {
  chunk: ({ address }) => address,
  class: ({ path, qualifiedName }) => `${path}::${qualifiedName.split('.', 1)[0]}`,
  file: ({ path }) => path,
};
export type ChunkIdentity = Pick<ChunkSummary, 'address' | 'path' | 'qualifiedName'>;

/** Finds the ranks of the edited chunks, their outermost definitions and their files. Each takes the rank of its first occurrence. */
export function computeRanks(
  edited: readonly ChunkIdentity[],
  ranking: readonly ChunkIdentity[],
): LevelRanks {
  const at = (level: Level) => {
    const ranked = [...new Set(ranking.map(KEYS[level]))];
    const rankByKey = new Map(ranked.map((key, i) => [key, i + 1]));
    return [...new Set(edited.map(KEYS[level]))].map((key) => rankByKey.get(key) ?? null);
  };
  return { chunk: at('chunk'), class: at('class'), file: at('file') };
}

const isWithin = (k: number) => (rank: number | null) => rank !== null && rank <= k;

export function perfectRecall(ranks: readonly (number | null)[], k: number): number {
  return ranks.every(isWithin(k)) ? 1 : 0;
}

export function recall(ranks: readonly (number | null)[], k: number): number {
  return ranks.filter(isWithin(k)).length / ranks.length;
}

/** Returns 1 / rank of the first edited item; 0 if none is in the ranking. */
export function reciprocalRank(ranks: readonly (number | null)[]): number {
  const found = ranks.filter((rank) => rank !== null);
  return found.length > 0 ? 1 / Math.min(...found) : 0;
}

export interface Metric {
  name: string;
  of(ranks: LevelRanks): number;
}

const CUTOFFS = [5, 10, 20, 100];
const ACCURACY: Record<Level, { name: string; cutoffs: number[] }> = {
  chunk: { name: 'function', cutoffs: [1, 5, 10] },
  class: { name: 'class', cutoffs: [1, 5, 10] },
  file: { name: 'file', cutoffs: [1, 3, 5] },
};

export const METRICS: readonly Metric[] = [
  ...CUTOFFS.map((k) => ({
    name: `perfect recall@${k}`,
    of: ({ chunk }: LevelRanks) => perfectRecall(chunk, k),
  })),
  ...CUTOFFS.map((k) => ({ name: `recall@${k}`, of: ({ chunk }: LevelRanks) => recall(chunk, k) })),
  { name: 'MRR', of: ({ chunk }) => reciprocalRank(chunk) },
  ...LEVELS.flatMap((level) =>
    ACCURACY[level].cutoffs.map((k) => ({
      name: `${ACCURACY[level].name} Acc@${k}`,
      of: (ranks: LevelRanks) => perfectRecall(ranks[level], k),
    })),
  ),
];
