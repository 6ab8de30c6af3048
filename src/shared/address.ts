/**
 * A chunk's identity as text: `path::qualifiedName`, with `#n` (n >= 2) for the n-th definition of the same name in the
 * file. The module chunk of a file is `path::<module>`. Whoever makes an address or takes one apart does it here.
 */
export type ChunkAddress = string;

/** Name of the code of a file outside any definition, where definitions have their qualified names. */
export const MODULE_NAME = '<module>';

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

/**
 * The file of an address, and the name in it with its `#n`, as they most likely are. Both may have `::`: the path ends with
 * an extension, where there is one. Where an index is at hand, `readingsOf` says what to look for in it.
 */
export function splitAddress(address: ChunkAddress): { path: string; name: string } {
  const splits = splitsOf(address);
  const likely = splits.find(({ path }) => EXTENSION.test(path)) ?? splits[0];
  return likely ?? { path: '', name: address };
}

const EXTENSION = /\.[A-Za-z][\w+]*$/;

/** What an address most likely says; null when the text is none. */
export function parseAddress(text: string): ChunkPlace | null {
  const { path, name } = splitAddress(text);
  return placesOf(path, name).at(-1) ?? null;
}

/** All that a text may say as an address: a name of C++ or a test of Kotlin may have `::`, and one of JavaScript end with `#2`. */
export function readingsOf(text: string): ChunkPlace[] {
  return splitsOf(text).flatMap(({ path, name }) => placesOf(path, name));
}

/** More `::` than these are in no path and name. */
const MOST_SPLITS = 20;

/** At each `::`, from the left. */
function splitsOf(address: string): { path: string; name: string }[] {
  return Array.from(address.matchAll(/:(?=:)/g).take(MOST_SPLITS), ({ index }) => {
    return { path: address.slice(0, index), name: address.slice(index + 2) };
  });
}

/** The name as it is, and without its `#n` where it may have one. */
export function placesOf(path: string, name: string): ChunkPlace[] {
  const [, qualifiedName, ordinal] = /^(.*?)(?:#(\d+))?$/s.exec(name) ?? [];
  if (!path || !qualifiedName) return [];
  const whole = { path, qualifiedName: name, ordinal: 0 };
  return ordinal ? [whole, { path, qualifiedName, ordinal: Number(ordinal) - 1 }] : [whole];
}

/** The folder of a relative path with forward slashes; '' for the root. */
export function getParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
