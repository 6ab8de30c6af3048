/** Shared parts of the editors of configuration files. Each adds and removes one entry, and leaves every other byte as it is. */
import { badInput, type LocusError } from '../../shared/errors.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** An entry of Locus in a configuration file. */
export interface ConfigEntry {
  /** Keys from the top of the file. In a list, they lead to the list; otherwise the last one names the entry. */
  keys: readonly string[];
  isInList: boolean;
  value: JsonValue;
}

/** Text to insert at an offset. */
export interface Insertion {
  offset: number;
  text: string;
  /** Number of keys above the entry that the text creates. */
  createdKeys: number;
}

/** All methods throw `LocusError` `bad-input` for a file that cannot be parsed or has another structure. */
export interface ConfigFormat {
  /** Returns the value of an entry; undefined if it is missing. In a list, the item with the same name, or an equal one. */
  find(text: string, entry: ConfigEntry): JsonValue | undefined;
  insert(text: string, entry: ConfigEntry): Insertion;
  /**
   * Removes an entry that is there, with as many keys above it as Locus created, if they are empty then.
   * @throws LocusError `bad-input` if nothing else than the entry could not be kept
   */
  remove(text: string, entry: ConfigEntry, createdKeys: number): string;
  /** Returns true if a text has no extension of the format, such as a trailing comma, that other readers may reject. */
  isStrict(text: string): boolean;
}

/** Error about the content of a configuration file. The caller adds the path. */
export class ConfigProblem extends Error {
  readonly line: number | null;

  constructor(problem: string, line: number | null = null) {
    super(problem);
    this.name = 'ConfigProblem';
    this.line = line;
  }
}

/** Returns an error that names the file and the line. */
export function explainProblem({ message, line }: ConfigProblem, path: string): LocusError {
  const where = line === null ? path : `${path}:${line}`;
  return badInput(
    `${where} ${message}. It was left as it is.`,
    'Correct the file, or add the entry by hand: docs/how-to/connect-an-agent.md.',
  );
}

/** Returns the line of an offset, from 1. */
export const getLine = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length;

/** Returns the line end that a text uses. */
export const getLineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Returns true if a line holds only white space before an offset. */
export const startsLine = (text: string, offset: number): boolean =>
  text.slice(getLineStart(text, offset), offset).trim() === '';

/** Returns the offset at which the line of an offset starts. */
export const getLineStart = (text: string, offset: number): number =>
  text.lastIndexOf('\n', offset - 1) + 1;

/** Returns the white space at the start of the line of an offset. */
export const getIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(getLineStart(text, offset), offset))?.[0] ?? '';

export const isRecord = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares values as JSON does; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** Returns true if an item of a list is the entry: it has the same name, or is equal if the entry has none. */
export function isItem(item: unknown, value: JsonValue): boolean {
  if (!isRecord(value) || typeof value.name !== 'string') return isSame(item, value);
  return isRecord(item) && item.name === value.name;
}
