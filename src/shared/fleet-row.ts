/** A chunk as the fleet's engine keeps it: what finds it, what Locus' signals are computed from, and no source text. */
import { z } from 'zod';
import { CHUNK_KINDS, FILE_ROLES } from './chunk.ts';

/** What signals read of a chunk beyond what the engine searches by. */
export const traits = z.object({
  qualifiedName: z.string(),
  name: z.string(),
  ordinal: z.int().min(0),
  kind: z.enum(CHUNK_KINDS),
  role: z.enum(FILE_ROLES),
  language: z.string(),
  path: z.string(),
  startLine: z.int().min(0),
  endLine: z.int().min(0),
  /** UTF-16 units of its text. */
  length: z.int().min(0),
  /** Address of the class around it. */
  parent: z.string().nullable(),
  package: z.string().nullable(),
  /** Calls and bases that were resolved: address, kind of the edge, and 1 for a guess. */
  calls: z.array(z.tuple([z.string(), z.string(), z.union([z.literal(0), z.literal(1)])])),
});
export type Traits = z.infer<typeof traits>;

/** What is stored of a chunk, but for where and when: two of equal content are the same row. */
export interface Content {
  traits: Traits;
  /**
   * Its terms by field, a line each in the order of `FIELDS`, every term as often as it counts: what BM25 is computed from in
   * the engine, and BM25F of what it finds here.
   */
  terms: string;
  /** Its embedding: a unit vector. */
  vector: Float32Array;
}

export interface Row extends Content {
  /** By content, see `rowId`. */
  id: string;
  repository: string;
  /** The run that stored it, and the commit that this read: at it the lines are right for ever. */
  generation: number;
  commit: string;
}
