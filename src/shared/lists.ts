/** Lists of results that go out to files and come back, and how their chunks are found again. */

import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { type ChunkSummary, type HashedChunk, hashedChunk } from './chunk.ts';
import { MOST_CHUNKS } from './limits.ts';
import type { Mark, MarkedChunk } from './marks.ts';

export const EXPORT_FORMATS = ['markdown', 'json', 'csv', 'sarif', 'prompt'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportedList {
  text: string;
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

/** Where a chunk of some other snapshot (or of a list made elsewhere) was. */
const anchor = z.object({
  path: z.string().min(1),
  qualifiedName: z.string().min(1),
  ordinal: z.int().min(0),
  /** `contentHash` of the chunk there; null when not known. */
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .nullable(),
});
export type Anchor = z.output<typeof anchor>;
export const anchorsRequest = z.object({ anchors: z.array(anchor).max(MOST_CHUNKS) });

/** Matches in a snapshot for a chunk known from elsewhere. Each list holds at most 100 chunks, by path and line. */
const anchorMatches = z.object({
  /** The chunk of the same path, qualified name and ordinal. */
  inPlace: hashedChunk.nullable(),
  /** Other chunks of the same content; empty when the anchor's hash is null. */
  sameContent: z.array(hashedChunk),
  /** Other chunks of the same simple name (the last part of the qualified name), those of the same qualified name first; empty for module chunks. */
  sameName: z.array(hashedChunk),
});
export type AnchorMatches = z.output<typeof anchorMatches>;

/** Parallel to the anchors of the request. */
export const anchorsResponse = z.array(anchorMatches);
