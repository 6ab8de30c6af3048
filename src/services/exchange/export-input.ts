import type { ChunkAddress } from '../../shared/address.ts';
import type { ListCheck } from '../../shared/check.ts';
import type { Mark } from '../../shared/marks.ts';
import type { RankedChunk, Reranking, SearchResponse } from '../../shared/search.ts';
import { describeUnindexed } from '../../shared/unsupported.ts';
import type { LocusList } from './list.ts';
import { listCheckNotes } from './list-check.ts';

/** A list to export. All maps are keyed by the addresses of `response.results`. */
export interface ExportInput {
  response: SearchResponse;
  issue: string;
  /** SHA-1 of each result's normalized text. */
  contentHashes: ReadonlyMap<ChunkAddress, string>;
  /** Commit that was searched, or that is checked out; null without Git. */
  commit: string | null;
  /** Ranks as shown on the screen, if they differ from the search's; null for a result without a rank there. */
  ranks?: ReadonlyMap<ChunkAddress, number | null>;
  /** Check by a language model. The results are in the order to show; their `rank` is the one before it. */
  check?: ListCheck | undefined;
  marks?: ReadonlyMap<ChunkAddress, { mark?: Mark; note?: string }>;
  code?: ReadonlyMap<ChunkAddress, string>;
  /** URLs of the lines on the code host, for files that are the same there. */
  permalinks?: ReadonlyMap<ChunkAddress, string>;
  /** Reason why some results have no permalink; null if all of them have one, or none can. */
  unlinked?: string | null;
  deepLinks?: ReadonlyMap<ChunkAddress, string>;
  /** ISO 8601; omitted if files must be the same from run to run. */
  createdAt?: string;
}

/** Returns sentences about the whole list: its check, which mentioned files were not read, and whether marks adjusted its order. */
export function describeList(input: ExportInput): string[] {
  const { issue, results } = input.response;
  return [
    ...listCheckNotes(input.check),
    ...describeUnindexed(issue.unindexed),
    ...(results.some(isAdjustedByMarks)
      ? ['Marks on some results adjusted the order of this list.']
      : []),
  ];
}

const isAdjustedByMarks = ({ evidence }: RankedChunk): boolean =>
  Object.values(evidence).some(({ family, contribution }) => family === 'marks' && contribution);

/** Removes the reasons that refer to a person's marks, which tell other readers nothing. The contributions stay. */
export function dropMarkReasons(result: RankedChunk): RankedChunk {
  const evidence = Object.entries(result.evidence).map(([signal, own]) => [
    signal,
    own.family === 'marks' ? { ...own, sentence: null } : own,
  ]);
  return { ...result, evidence: Object.fromEntries(evidence) };
}

/** Returns the rank to show; null if the result had none on the screen. */
export function getRank({ ranks }: ExportInput, { address, rank }: RankedChunk): number | null {
  return ranks?.has(address) ? (ranks.get(address) ?? null) : rank;
}

/** Returns how much of a list was reranked, and by which models; null for an initial ranking. */
export function getReranking(reranking: Reranking): NonNullable<LocusList['reranking']> | null {
  if (reranking.state !== 'reranked') return null;
  return { count: reranking.count, of: reranking.of, models: reranking.models };
}
