/**
 * A chunk's identity as text: `path::qualifiedName`, with `#n` (n >= 2) for the n-th definition of the same name in the
 * file. The module chunk of a file is `path::<module>`. Whoever makes an address or takes one apart does it here.
 */

/** See above. */
export type ChunkAddress = string;

/** What the code of a file outside any definition is called, where definitions have their qualified names. */
export const MODULE_NAME = '<module>';

/** What an address says. */
export interface ChunkPlace {
  path: string;
  qualifiedName: string;
  /** 0 for the first definition of this name in the file, 1 for its first redefinition, ... */
  ordinal: number;
}

export function addressOf({ path, qualifiedName, ordinal }: ChunkPlace): ChunkAddress {
  const base = `${path}::${qualifiedName}`;
  return ordinal > 0 ? `${base}#${ordinal + 1}` : base;
}

/** The file of an address, and the name in it with its `#n`. A name never has `::`, a path may. */
export function splitAddress(address: ChunkAddress): { path: string; name: string } {
  const separator = address.lastIndexOf('::');
  if (separator < 0) return { path: '', name: address };
  return { path: address.slice(0, separator), name: address.slice(separator + 2) };
}

/** What an address says; null when the text is none. */
export function parseAddress(text: string): ChunkPlace | null {
  const { path, name } = splitAddress(text);
  const [, qualifiedName, ordinal] = /^(.*?)(?:#(\d+))?$/s.exec(name) ?? [];
  if (!path || !qualifiedName) return null;
  return { path, qualifiedName, ordinal: ordinal ? Number(ordinal) - 1 : 0 };
}
