/** A chunk as the fleet's engine (Milvus) stores it: search terms, an embedding and inputs of the signals, but no source text. */
import { z } from 'zod';
import { FILE_ROLES } from './chunk.ts';
import { CHUNK_KINDS } from './chunk-kind.ts';

/** Properties of a chunk that signals need, besides its terms and embedding. */
export const fleetTraits = z.object({
  qualifiedName: z.string(),
  name: z.string(),
  ordinal: z.int().min(0),
  kind: z.enum(CHUNK_KINDS),
  role: z.enum(FILE_ROLES),
  language: z.string(),
  path: z.string(),
  startLine: z.int().min(0),
  endLine: z.int().min(0),
  /** Length of its text in UTF-16 units. */
  length: z.int().min(0),
  /** Address of the enclosing class. */
  parent: z.string().nullable(),
  package: z.string().nullable(),
  /** Resolved calls and base classes: address, kind of the edge, and 1 for a guess. */
  calls: z.array(z.tuple([z.string(), z.string(), z.union([z.literal(0), z.literal(1)])])),
});
export type FleetTraits = z.infer<typeof fleetTraits>;

/** Stored data of a chunk, without its repository and commit. Chunks of equal content share a row. */
export interface FleetRowContent {
  traits: FleetTraits;
  /**
   * Terms by field, one line per field in the order of `FIELDS`, each term repeated by its count. The engine computes BM25
   * from them, and Locus computes BM25F of the rows that the engine returns.
   */
  terms: string;
  /** Embedding, a unit vector. */
  vector: Float32Array;
}

export interface FleetRow extends FleetRowContent {
  /** Id derived from the content, see `makeRowId`. */
  id: string;
  repository: string;
  /** Run that stored the row, and the commit that it indexed. The line numbers refer to this commit. */
  generation: number;
  commit: string;
}
