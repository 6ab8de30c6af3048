/** Kinds of names in code that have colors of their own. `CodeTokens` contains indices into this list. */
export const TOKEN_KINDS = ['class', 'function', 'call', 'parameter', 'property'] as const;

/**
 * Five numbers for each name, in the encoding of the Language Server Protocol's semantic tokens: lines since the previous
 * name, columns since it on the same line, length, kind, and modifiers (always 0). Columns and lengths are in UTF-16 units.
 */
export type CodeTokens = number[];
