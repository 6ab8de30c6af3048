/** Edits TOML: adds a table at the end, and removes it by its header. */
import { parse as parseToml, TomlError } from 'smol-toml';
import {
  type ConfigEntry,
  type ConfigFormat,
  ConfigProblem,
  getLineEnd,
  isRecord,
  isSame,
  type JsonValue,
} from './config-format.ts';

export const tomlFormat: ConfigFormat = {
  find: (text, { keys }) => getAt(parse(text), keys),

  insert(text, entry) {
    const eol = getLineEnd(text);
    const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
    const inserted = gap + renderTable(entry).replaceAll('\n', eol);
    const after = parse(text + inserted);
    if (!isSame(getAt(after, entry.keys), entry.value))
      throw new ConfigProblem(`cannot get a table ${entry.keys.join('.')}`);
    return { offset: text.length, text: inserted, createdKeys: 0 };
  },

  remove(text, entry) {
    const left = removeTables(text, entry.keys);
    const after = parse(left);
    const isGone = getAt(after, entry.keys) === undefined;
    if (!isGone || !isSame(without(after, entry.keys), without(parse(text), entry.keys)))
      throw new ConfigProblem(`has ${entry.keys.join('.')} in another form than a table`);
    return left;
  },

  isStrict: () => true,
};

function parse(text: string): Record<string, JsonValue> {
  try {
    return parseToml(text) as Record<string, JsonValue>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new ConfigProblem(
      `is not valid TOML: ${reason.replace(/^Invalid TOML document: /, '')}`,
      error.line,
    );
  }
}

function getAt(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, key) ? getAt(value[key], rest) : undefined;
}

/** Returns a copy without an entry, and without the tables above it if they are empty then. */
function without(
  value: Record<string, JsonValue>,
  [key = '', ...rest]: readonly string[],
): Record<string, JsonValue> {
  const { [key]: inner, ...others } = value;
  if (inner === undefined || rest.length === 0 || !isRecord(inner)) return others;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...value, [key]: left };
}

function renderTable({ keys, value }: ConfigEntry): string {
  const lines = Object.entries(isRecord(value) ? value : {}).map(
    ([key, item]) => `${key} = ${renderValue(item)}`,
  );
  return `[${keys.join('.')}]\n${lines.join('\n')}\n`;
}

const renderValue = (value: JsonValue): string =>
  Array.isArray(value) ? `[${value.map(renderValue).join(', ')}]` : JSON.stringify(value);

/** Removes the table of an entry and the tables inside it. Comments before the next table stay. */
function removeTables(text: string, keys: readonly string[]): string {
  const headers = listHeaders(text);
  let left = text;
  for (const [at, { start, end }] of [...headers.entries()].reverse()) {
    if (getAt(readHeader(text.slice(start, end)), keys) === undefined) continue;
    const next = headers[at + 1]?.start ?? text.length;
    left = left.slice(0, start) + left.slice(findTableEnd(text, end, next));
  }
  return left;
}

function readHeader(line: string): Record<string, JsonValue> {
  try {
    return parseToml(line) as Record<string, JsonValue>;
  } catch {
    // A header of an array of tables may not be valid alone. Locus writes no such header.
    return {};
  }
}

/** Returns the end of the last line of a table that is neither blank nor a comment. */
function findTableEnd(text: string, start: number, next: number): number {
  let end = start;
  let at = start;
  for (const line of text.slice(start, next).split(/(?<=\n)/)) {
    at += line.length;
    if (/^[^#\s]/.test(line.trim())) end = at;
  }
  return text[end] === '\n' ? end + 1 : text.startsWith('\r\n', end) ? end + 2 : end;
}

/** Lists the headers of tables, as ranges of lines. Brackets in strings and values are none. */
function listHeaders(text: string): { start: number; end: number }[] {
  const headers: { start: number; end: number }[] = [];
  let depth = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\n') isLineStart = true;
    else if (character === '#') at = findLineEnd(text, at) - 1;
    else if (character === '"' || character === "'") at = skipString(text, at) - 1;
    else if (character === '[' && isLineStart && depth === 0) {
      const end = findLineEnd(text, at);
      headers.push({ start: at, end });
      at = end - 1;
    } else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (!/\s/.test(character)) isLineStart = false;
  }
  return headers;
}

function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Returns the end of a string of any of the four kinds. */
function skipString(text: string, start: number): number {
  const quote = text[start] ?? '"';
  const isLong = text.startsWith(quote.repeat(3), start);
  const mark = isLong ? quote.repeat(3) : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at))
    at += text[at] === '\\' && quote === '"' ? 2 : 1;
  at += mark.length;
  // A long string may end with up to two quotes of its own.
  while (isLong && text[at] === quote) at++;
  return at;
}
