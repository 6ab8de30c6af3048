/** A line of YAML, as far as sections need it. */
export interface YamlEntry {
  /** Column of its first character, and of its key. */
  indent: number;
  keyIndent: number;
  /** True for an item of a list, whose first key it holds. */
  isItem: boolean;
  /** Key, without quotes; empty if it has none. */
  key: string;
  /** Value on the same line, without quotes, comment, tag and anchor. */
  value: string;
  anchor: string;
  /** True if the value continues on deeper lines that are no keys: a block scalar, an open quotation. */
  isBlock: boolean;
}

/** Maximum length of a key in UTF-16 units. */
const MAX_KEY = 200;
/** Length of a value that is read, in UTF-16 units. */
const MAX_VALUE = 400;

/** Characters with which no plain key begins. */
const NO_KEY = new Set(['{', '}', '[', ']', ',', '%', '@', '`', '|', '>', '!', '&', '*', '?', '#']);

/** Reads a line that is neither blank nor a comment. @param indent column of its first character */
export function readYamlEntry(line: string, indent: number): YamlEntry {
  const itemIndent = skipDashes(line, indent);
  const isItem = itemIndent > indent;
  const key = findKey(line, itemIndent);
  const afterKey = key === null ? itemIndent : key.end;
  const { value, anchor } = readValue(line.slice(afterKey, afterKey + MAX_VALUE).trim());
  return {
    indent,
    keyIndent: itemIndent,
    isItem,
    key: key === null ? '' : key.name,
    value: unquote(value),
    anchor,
    isBlock: isOpen(value, line),
  };
}

/** Returns the column behind the dashes of list items: that of `a` in `- - a`. */
function skipDashes(line: string, indent: number): number {
  let at = indent;
  while (line[at] === '-' && (at + 1 === line.length || line[at + 1] === ' ')) {
    at += 1;
    while (line[at] === ' ') at += 1;
  }
  return at;
}

/** Finds the key at a column, and the end of its colon. */
function findKey(line: string, start: number): { name: string; end: number } | null {
  const first = line[start] ?? '';
  if (NO_KEY.has(first)) return null;
  const isQuoted = first === '"' || first === "'";
  const near = line.slice(start, start + MAX_KEY);
  const close = isQuoted ? near.indexOf(first, 1) : -1;
  if (isQuoted && (close < 0 || !/^[ \t]*:(?:[ \t]|$)/.test(near.slice(close + 1)))) return null;
  const colon = isQuoted ? near.indexOf(':', close) : findColon(near);
  if (colon <= 0) return null;
  const name = isQuoted ? near.slice(1, close) : near.slice(0, colon).trim();
  return name.includes(' #') ? null : { name, end: start + colon + 1 };
}

/** Returns the index of the first colon before white space or the end, or -1. */
function findColon(text: string): number {
  let colon = text.indexOf(':');
  while (
    colon >= 0 &&
    colon + 1 < text.length &&
    text[colon + 1] !== ' ' &&
    text[colon + 1] !== '\t'
  )
    colon = text.indexOf(':', colon + 1);
  return colon;
}

function readValue(written: string): { value: string; anchor: string } {
  const [properties = ''] = /^(?:[&!]\S*(?:\s+|$)){0,3}/.exec(written) ?? [];
  const anchor = /(?:^|\s)&(\S+)/.exec(properties)?.[1] ?? '';
  const value = written.slice(properties.length);
  if (value.startsWith('#')) return { value: '', anchor };
  const isPlain = !/^["'|>]/.test(value);
  const comment = isPlain ? value.indexOf(' #') : -1;
  return { value: comment < 0 ? value : value.slice(0, comment).trimEnd(), anchor };
}

/** Returns true if a value continues on deeper lines whatever they contain. */
function isOpen(value: string, line: string): boolean {
  const first = value[0] ?? '';
  if (first === '|' || first === '>') return /^[|>][-+\d]{0,2}(?:\s|$)/.test(value);
  if (first === '"' || first === "'") return value.length === 1 || !value.includes(first, 1);
  if (first === '{' || first === '[')
    return !/[}\]][\s,]{0,200}(?:#.{0,500})?$/.test(line.slice(-MAX_VALUE));
  return false;
}

function unquote(value: string): string {
  const first = value[0] ?? '';
  if (first !== '"' && first !== "'") return value;
  const close = value.indexOf(first, 1);
  return close < 0 ? value.slice(1) : value.slice(1, close);
}
