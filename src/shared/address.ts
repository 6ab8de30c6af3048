/**
 * A chunk's identity as text: `path::qualifiedName`, with `#n` (n >= 2) for the n-th definition of the same name in the
 * file. The module chunk of a file is `path::<module>`. All addresses are formatted and parsed in this file.
 */
export type ChunkAddress = string;

/** Stands in an address for the code of a file outside any definition. */
export const MODULE_NAME = '<module>';

export interface AddressParts {
  path: string;
  qualifiedName: string;
  /** 0 for the first definition of this name in the file, 1 for its first redefinition, ... */
  ordinal: number;
}

export function formatAddress({ path, qualifiedName, ordinal }: AddressParts): ChunkAddress {
  const base = `${path}::${qualifiedName}`;
  return ordinal > 0 ? `${base}#${ordinal + 1}` : base;
}

/**
 * Splits an address into its file and the name with its `#n`. Both parts may contain `::`, so this is a guess: it prefers
 * a path that ends with a file extension. With an index, look up all `interpretAddress` results instead.
 */
export function splitAddress(address: ChunkAddress): { path: string; name: string } {
  const splits = listSplits(address);
  const likely = splits.find(({ path }) => EXTENSION.test(path)) ?? splits[0];
  return likely ?? { path: '', name: address };
}

const EXTENSION = /\.[A-Za-z][\w+]*$/;

/** Returns the likeliest interpretation of an address; null if the text is not an address. */
export function parseAddress(text: string): AddressParts | null {
  const { path, name } = splitAddress(text);
  return interpretName(path, name).at(-1) ?? null;
}

/**
 * Returns every possible interpretation of a text as an address. Names in C++ and Kotlin tests may contain `::`, and names in
 * JavaScript may end with `#2`.
 */
export function interpretAddress(text: string): AddressParts[] {
  return listSplits(text).flatMap(({ path, name }) => interpretName(path, name));
}

/** Upper bound for the number of `::` in an address. */
const MAX_SPLITS = 20;

/** Splits an address at each `::`, from the left. */
function listSplits(address: string): { path: string; name: string }[] {
  return Array.from(address.matchAll(/:(?=:)/g).take(MAX_SPLITS), ({ index }) => {
    return { path: address.slice(0, index), name: address.slice(index + 2) };
  });
}

/** Interprets a name as it is, and, if it ends with `#n`, also as the n-th definition of that name. */
export function interpretName(path: string, name: string): AddressParts[] {
  const [, qualifiedName, ordinal] = /^(.*?)(?:#(\d+))?$/s.exec(name) ?? [];
  if (!path || !qualifiedName) return [];
  const whole = { path, qualifiedName: name, ordinal: 0 };
  return ordinal ? [whole, { path, qualifiedName, ordinal: Number(ordinal) - 1 }] : [whole];
}

/** Returns the folder of a relative path with forward slashes; '' for the root. */
export function getParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
