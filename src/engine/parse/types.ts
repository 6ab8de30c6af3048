import type { ChunkKind } from '../../shared/chunk.ts';
import type { FileFacts } from '../languages/facts.ts';
import type { TermCounts } from '../lexical/tokenize.ts';

/** A definition (or the module chunk) of one file. Depends on the file's path and content, on nothing else. */
export interface ParsedChunk {
  /** `Outer.Inner.method`; `<module>` for the module chunk. */
  qualifiedName: string;
  ordinal: number;
  name: string;
  kind: ChunkKind;
  /** Decorators included. The module chunk spans the whole file. */
  startLine: number;
  endLine: number;
  /** Index in `ParsedFile.chunks` of the enclosing class chunk, or -1. */
  parent: number;
  /** What the encoder and the lexical index see: normalised, a method under its class header, a class in outline. */
  text: string;
  /** End offset in `text` of the signature: everything down to the end of the `def`/`class` header. 0 for modules. */
  signatureEnd: number;
  /** `[start, end)` offsets in `text` of the docstring, quotes included, or null. */
  doc: [number, number] | null;
}

export interface ParsedFile {
  /** In order of `startLine`; the module chunk, present in every file but manifests, comes first. */
  chunks: ParsedChunk[];
  facts: FileFacts;
  termCounts: TermCounts;
  lines: number;
  /** Its text says that a tool wrote it, or is minified. */
  generated: boolean;
  /** Places the parser could not make sense of; the sound definitions around them are kept. */
  errors: number;
}

export const OUT_OF_MEMORY = 'parsing ran out of memory';
