/** Kinds of names in code, which have colors of their own. `CodeTokens` has their indices. */
export const TOKEN_KINDS = ['class', 'function', 'call', 'parameter', 'property'] as const;

/**
 * Five numbers a name, as the Language Server Protocol has its semantic tokens: lines below the name before, columns behind
 * it if it is on the same line, length, kind, modifiers, of which there are none. Columns and lengths are in UTF-16 units.
 */
export type CodeTokens = number[];
