/** Kinds of chunks. `module` is all of a file's code outside any definition. */
export const CHUNK_KINDS = ['function', 'method', 'class', 'module'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];
