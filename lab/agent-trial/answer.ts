/** Reads which functions an agent named, and finds the ranks of those that the fix edits. */
import { splitAddress } from '../../src/shared/address.ts';

/** A name such as `src/cart.py::Cart.total` within prose. */
const NAME = /[^\s"'`<>()[\]{},]{1,400}::[^\s"'`<>()[\]{},]{1,400}/g;

/**
 * Returns the functions that an answer names as `path::qualified.name`, in order, without duplicates. Reads the whole text as JSON, else
 * each line, and only without any JSON the names within prose.
 */
export function readNames(answer: string, checkout: string): string[] {
  const whole = collectNames(parseJson(answer));
  const lines = whole.length > 0 ? whole : answer.split('\n').flatMap(readLine);
  const names = lines.length > 0 ? lines : (answer.match(NAME) ?? []);
  return [...new Set(names.map((name) => cleanName(name, checkout)))];
}

function readLine(line: string): string[] {
  const start = line.search(/[{["]/);
  return start < 0 ? [] : collectNames(parseJson(line.slice(start)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The answer is prose.
  }
}

/** Returns all strings of a JSON value that are names. */
function collectNames(value: unknown): string[] {
  if (typeof value === 'string') return /^[^\s:]{1,400}::\S/.test(value) ? [value] : [];
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(collectNames)
    : [];
}

function cleanName(name: string, checkout: string): string {
  const path = name.startsWith(`${checkout}/`) ? name.slice(checkout.length + 1) : name;
  return path.replace(/^\.\//, '').replace(/\(.{0,400}$/, '');
}

/**
 * Returns true if an agent's name means the function: the same file, and the same name up to enclosing definitions that one of the two
 * leaves out. `Cart` does not mean `Cart.total`.
 */
export function isSameFunction(name: string, address: string): boolean {
  const one = splitName(name);
  const other = splitName(address);
  if (one.path !== other.path) return false;
  const [short = [], long = []] = [one.parts, other.parts].sort((a, b) => a.length - b.length);
  return (
    short.length > 0 && short.every((part, i) => part === long[long.length - short.length + i])
  );
}

function splitName(address: string): { path: string; parts: string[] } {
  const { path, name } = splitAddress(address);
  // An address numbers definitions of the same name: `total#2`.
  const parts = name.replace(/#\d{1,9}$/, '').split(/::|[.#]/);
  return { path, parts: parts.filter((part) => part !== '') };
}

/**
 * Returns the rank, from 1, of each function that the fix edits; null if the agent did not find it. Functions that the agent edited
 * without naming them follow those that it named.
 */
export function findRanks(
  edited: readonly string[],
  named: readonly string[],
  changed: readonly string[],
): (number | null)[] {
  const found = [
    ...named,
    ...changed.filter((one) => !named.some((name) => isSameFunction(name, one))),
  ];
  return edited.map((address) => {
    const at = found.findIndex((name) => isSameFunction(name, address));
    return at < 0 ? null : at + 1;
  });
}
