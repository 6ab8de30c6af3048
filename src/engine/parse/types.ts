import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ChunkKind } from '../../shared/chunk.ts';
import type { TermCounts } from '../lexical/types.ts';

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

/** A local name that an import binds. `import a.b as c` binds c to module a.b; `from .x import y as z` binds z. */
export interface ImportFact {
  /** Dotted module without leading dots; may be empty (`from . import x`). */
  module: string;
  /** Leading dots of a relative import; 0 for an absolute one. */
  level: number;
  /** The imported member, `*`, or null when the module itself is imported. */
  member: string | null;
  /** The name bound in this file (for `import a.b` it is `a`); `*` for a star import. */
  local: string;
  /** Index of the chunk whose body holds the import; the module chunk's index for file level. */
  scope: number;
}

/** `target = value` where the value says something about the target's type: a call, a name, an annotation. */
export interface BindingFact {
  /** Index of the chunk in whose body it stands. */
  scope: number;
  /** `x`, `self.x`: dotted. */
  target: string;
  /** Dotted callee or name: `Session`, `models.Query`, `self.make`. */
  value: string;
  /** `call`: target = value(...); `alias`: target = value; `type`: target annotated with value; `return`: the chunk's return annotation (target is ''). */
  how: 'call' | 'alias' | 'type' | 'return';
}

/** One reference that may resolve to a chunk. */
export interface ReferenceFact {
  /** Index of the chunk that holds it (the innermost chunk; decorators and bases belong to what they decorate or derive). */
  scope: number;
  /**
   * The callee as a chain of names. `f` -> ['f'], `a.b.c` -> ['a','b','c'], `super().x` -> ['super()','x'],
   * `f().g` -> ['f()','g'], `a.f().g` -> ['a','f()','g'], anything else in front -> ['?', 'g'].
   * Methods of literals (`", ".join`) are left out.
   */
  chain: string[];
  kind: EdgeKind;
  line: number;
  column: number;
}

/** Names that a function binds itself: they hide what the file binds to the same name. */
export interface LocalFact {
  /** Index of the function or method chunk. */
  scope: number;
  /**
   * Its parameters, variables, nested functions and classes, in no order; of these, only the ones that a
   * reference or binding of the same scope begins with.
   */
  names: string[];
}

/** What the call graph needs to know of a file. `inherit` references, in order, are a class's bases. */
export interface FileFacts {
  imports: ImportFact[];
  bindings: BindingFact[];
  references: ReferenceFact[];
  /** At most one for each scope; left out where there are none. */
  locals?: LocalFact[];
  /** How many facts there were beyond those that are kept of one file; left out where there were none. */
  omitted?: number;
}

export interface ParsedFile {
  /** In order of `startLine`; the module chunk, present in every file, comes first. */
  chunks: ParsedChunk[];
  facts: FileFacts;
  termCounts: TermCounts;
  lines: number;
  /** Places the parser could not make sense of; the sound definitions around them are kept. */
  errors: number;
}

/** Why a file is taken as plain text that needs more memory than its thread may have. */
export const OUT_OF_MEMORY = 'parsing ran out of memory';
