/**
 * Kinds of chunks. `module` is all of a file's code outside any definition, `section` a part of a file without definitions:
 * configuration, a style sheet or documentation.
 */
export const CHUNK_KINDS = ['function', 'method', 'class', 'module', 'section'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** Kinds of chunks that are definitions. */
export const DEFINITION_KINDS: readonly ChunkKind[] = ['function', 'method', 'class'];
