/** Finding chunks again that are known from another snapshot, or from a list made elsewhere. */
import { z } from 'zod';
import { hashedChunk } from './chunk.ts';
import { MOST_CHUNKS } from './limits.ts';

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
