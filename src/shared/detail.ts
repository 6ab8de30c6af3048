/** A chunk and a file in full, as they were indexed. */
import { z } from 'zod';
import { chunkAddress, repositoryPath } from './address-schemas.ts';
import { callEdge } from './call-graph.ts';
import { chunkName, chunkSummary, FILE_ROLES, hashedChunk } from './chunk.ts';
import { MAX_PATH } from './limits.ts';

export const showRequest = z.object({ chunk: chunkName });

/** One part of the encoder's input for a chunk. */
const encoderPart = z.object({
  role: z.enum(['path', 'signature', 'body', 'callee']),
  /** The callee's address, for `callee` parts. */
  address: chunkAddress.optional(),
  text: z.string(),
  /** Tokens of this part, and how many more the limits cut off. */
  tokens: z.number(),
  cut: z.number(),
  /** The rest of the text, which no token stands for; empty if nothing was cut off. */
  cutText: z.string(),
});
export type EncoderPart = z.output<typeof encoderPart>;

/** A chunk with its code and everything known about it. */
export const chunkDetail = hashedChunk.extend({
  /** The lines startLine..endLine of the file as it was indexed (for a module chunk: its own lines only). */
  code: z.string(),
  docstring: z.string().nullable(),
  callers: z.array(callEdge),
  callees: z.array(callEdge),
  /** The encoder's input, as it was. */
  context: z.object({ model: z.string(), parts: z.array(encoderPart), embedded: z.boolean() }),
});
export type ChunkDetail = z.output<typeof chunkDetail>;

export const fileRequest = z.object({ path: z.string().min(1).max(MAX_PATH) });

/** A chunk with the line of its header, which decorators and comments may precede. */
const outlinedChunk = chunkSummary.extend({ headerLine: z.number() });
export type OutlinedChunk = z.output<typeof outlinedChunk>;

/** A whole file as it was indexed, with its chunks from top to bottom. */
export const fileDetail = z.object({
  path: repositoryPath,
  text: z.string(),
  language: z.string(),
  role: z.enum(FILE_ROLES),
  chunks: z.array(outlinedChunk),
});
export type FileDetail = z.output<typeof fileDetail>;
