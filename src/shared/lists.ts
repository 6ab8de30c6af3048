/** Lists of results that go out to files and come back. */
import type { ChunkAddress } from './address.ts';
import type { ChunkSummary, HashedChunk } from './chunk.ts';
import type { Mark, MarkedChunk } from './marks.ts';

export const EXPORT_FORMATS = ['markdown', 'json', 'csv', 'sarif', 'prompt'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportedList {
  text: string;
  /** A name for the file. */
  fileName: string;
  mediaType: string;
  /** Chunks that are in the list, and those asked for that the search no longer finds. */
  count: number;
  missing: ChunkAddress[];
  /** Why results have no permalink at the repository’s host; null when they have, or there is no host. */
  unlinked: string | null;
  /** Of a prompt: how it fits its budget. */
  prompt: PromptSize | null;
}

export interface PromptSize {
  /** As `estimateTokens` counts. */
  tokens: number;
  /** Results with their code, and those of which only the place is named. */
  whole: number;
  named: number;
}

export interface ImportedList {
  issue: { title: string; text: string };
  repository: { name: string; commit: string | null };
  counts: Record<MarkedChunk['state'], number>;
  entries: {
    /** Null for what was marked and was not in the ranking. */
    rank: number | null;
    score: number;
    was: Pick<ChunkSummary, 'path' | 'qualifiedName' | 'kind' | 'startLine' | 'endLine'>;
    mark: Mark | null;
    note: string;
    state: MarkedChunk['state'];
    now: HashedChunk | null;
    detail: string | null;
    /** What its code was, of one that changed; null where the list has none. */
    code: string | null;
  }[];
}
