/** Exported and imported lists of results, and how their chunks are matched with a snapshot. */

import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { type ChunkSummary, type HashedChunk, hashedChunk } from './chunk.ts';
import { MAX_CHUNKS } from './limits.ts';
import type { Mark, MarkedChunk } from './marks.ts';

export const EXPORT_FORMATS = ['markdown', 'json', 'csv', 'sarif', 'prompt'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportedList {
  text: string;
  fileName: string;
  mediaType: string;
  /** Number of chunks in the list. */
  count: number;
  /** Requested chunks that the search no longer finds. */
  missing: ChunkAddress[];
  /** Reason why results have no permalink; null if they have one, or if the repository has no host. */
  noPermalinkReason: string | null;
  /** Size of a prompt; null for other formats. */
  prompt: PromptSize | null;
}

export interface PromptSize {
  /** Estimate by `estimateTokens`. */
  tokens: number;
  /** Number of results with their code, and of results with only their location. */
  withCode: number;
  withoutCode: number;
}

/** Says who checked an imported list: untrusted plain text. */
export interface ImportedCheck {
  model: string;
  place: string;
  checkedAt: string;
  order: 'checked' | 'before';
}

/** Opinion of a language model on an entry of an imported list. */
export interface ImportedVerdict {
  edit: boolean;
  /** Untrusted plain text. */
  reason: string;
  rankBefore: number;
}

export interface ImportedList {
  issue: { title: string; text: string };
  repository: { name: string; commit: string | null };
  check: ImportedCheck | null;
  counts: Record<MarkedChunk['state'], number>;
  entries: {
    /** Rank in the list; null for a marked function that was not ranked. */
    rank: number | null;
    score: number;
    was: Pick<ChunkSummary, 'path' | 'qualifiedName' | 'kind' | 'startLine' | 'endLine'>;
    mark: Mark | null;
    note: string;
    check: ImportedVerdict | null;
    state: MarkedChunk['state'];
    now: HashedChunk | null;
    detail: string | null;
    /** Code in the list, if the function changed since; null if the list contains no code. */
    code: string | null;
  }[];
}

/** Identity of a chunk in another snapshot or an imported list. */
const anchor = z.object({
  path: z.string().min(1),
  qualifiedName: z.string().min(1),
  ordinal: z.int().min(0),
  /** `contentHash` of the chunk there; null if unknown. */
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .nullable(),
});
export type Anchor = z.output<typeof anchor>;
export const anchorsRequest = z.object({ anchors: z.array(anchor).max(MAX_CHUNKS) });

/** Matches of an anchor in a snapshot. Each list has at most 100 chunks, in order of path and line. */
const anchorMatches = z.object({
  /** Chunk with the same path, qualified name and ordinal. */
  sameAddress: hashedChunk.nullable(),
  /** Other chunks with the same content; empty if the anchor's hash is null. */
  sameContent: z.array(hashedChunk),
  /**
   * Other chunks with the same simple name (the last part of the qualified name), those with the same qualified name
   * first; empty for module chunks.
   */
  sameName: z.array(hashedChunk),
});
export type AnchorMatches = z.output<typeof anchorMatches>;

/** Parallel to the anchors of the request. */
export const anchorsResponse = z.array(anchorMatches);
