/** A chunk and a file in full, as they were indexed. */
import type { ChunkAddress } from './address.ts';
import type { CallEdge } from './call-graph.ts';
import type { ChunkSummary, FileRole, HashedChunk } from './chunk.ts';

/** A chunk with its code and everything known about it. */
export interface ChunkDetail extends HashedChunk {
  /** The lines startLine..endLine of the file as it was indexed (for a module chunk: its own lines only). */
  code: string;
  docstring: string | null;
  callers: CallEdge[];
  callees: CallEdge[];
  /** Exactly what the encoder saw. */
  context: { model: string; parts: EncoderPart[]; embedded: boolean };
}

/** One part of what the encoder was given for a chunk. */
export interface EncoderPart {
  role: 'path' | 'signature' | 'body' | 'callee';
  /** The callee's address, for `callee` parts. */
  address?: ChunkAddress;
  text: string;
  /** Tokens this part became, and how many more were cut off by the limits. */
  tokens: number;
  cut: number;
  /** The rest of the text, from which no token came; empty if nothing was cut off. */
  cutText: string;
}

/** A whole file as it was indexed, with its chunks from top to bottom. */
export interface FileDetail {
  path: string;
  text: string;
  language: string;
  role: FileRole;
  chunks: OutlinedChunk[];
}

/** A chunk with the line that has its header, which decorators and comments may stand before. */
export interface OutlinedChunk extends ChunkSummary {
  headerLine: number;
}
