/** A chunk as the fleet's engine keeps it: what finds it, what Locus' signals are computed from, and no source text. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CHUNK_KINDS, FILE_ROLES } from '../../shared/chunk.ts';

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
  /** Package of a monorepo. */
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

/** A row of the engine. */
export interface Row extends Content {
  /** By content, see `rowId`. */
  id: string;
  /** Key of its repository. */
  repository: string;
  /** The run that stored it, and the commit that this read: at it the lines are right for ever. */
  generation: number;
  commit: string;
}

/**
 * Names a row by all that is in it: equal content has the same name, whoever stores it and however often, and what changed has
 * another. 128 bits, in hex.
 */
export function rowId(
  repository: string,
  model: string,
  { traits, terms, vector }: Content,
): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, model, traits]))
    .update(terms)
    .update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    .digest('hex')
    .slice(0, 32);
}

/** The last part of a path. */
export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
