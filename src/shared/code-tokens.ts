/**
 * Kinds of tokens. A token is a name in code that is colored by its kind: `function` for a defined function, `call` for a called
 * one. `CodeTokens` contains indices into this list.
 */
export const TOKEN_KINDS = ['class', 'function', 'call', 'parameter', 'property'] as const;

/**
 * Five numbers for each token, encoded like the semantic tokens of the Language Server Protocol: line, relative to the previous
 * token's; column, relative to the previous token's if both are on one line; length; kind; and modifiers (always 0). Columns and
 * lengths are in UTF-16 units.
 */
export type CodeTokens = number[];
