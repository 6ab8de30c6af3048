import type { ChunkKind } from '../../shared/chunk-kind.ts';
import type { FileFacts } from '../languages/facts.ts';
import type { TermCounts } from '../lexical/tokenize.ts';

/** Chunk of one file. Depends only on the file's path and content. */
export interface ParsedChunk {
  /** `Outer.Inner.method`; `<module>` for the module chunk. */
  qualifiedName: string;
  ordinal: number;
  name: string;
  kind: ChunkKind;
  /** First line, decorators included. The module chunk spans the whole file. */
  startLine: number;
  endLine: number;
  /** Index in `ParsedFile.chunks` of the enclosing class chunk, or -1. */
  parent: number;
  /** True for test code in a file that may be source, such as a module under Rust's `#[cfg(test)]`. */
  isTest?: true;
  /** Another name, such as the inner one of `const Row = memo(function OrderRow() {})`; of a section, the keys in it, one a line. Left out without one. */
  alias?: string;
  /** Number of the cell of a notebook where it begins, from 1; left out for module code and in other files. */
  cell?: number;
  /** Text for the encoder and the lexical index: normalized, a method under its class header, a class in outline. */
  text: string;
  /** End offset in `text` of the signature, which includes the `def`/`class` header. 0 for modules; a section's first line. */
  signatureEnd: number;
  /** Offsets `[start, end)` in `text` of the docstring, quotes included, or null. */
  doc: [number, number] | null;
}

export interface ParsedFile {
  /** Chunks in order of `startLine`. The module chunk comes first. A file without code has only sections, or none. */
  chunks: ParsedChunk[];
  facts: FileFacts;
  termCounts: TermCounts;
  lines: number;
  /** True if the text says that it is generated, or is minified. */
  generated: boolean;
  /** Number of syntax errors. Intact definitions around them are kept. */
  errors: number;
}

export const OUT_OF_MEMORY = 'parsing ran out of memory';
