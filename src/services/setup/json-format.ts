/** Edits JSON with comments and trailing commas, which also covers plain JSON. */
import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import {
  type ConfigEntry,
  type ConfigFormat,
  ConfigProblem,
  getIndent,
  getLine,
  getLineEnd,
  getLineStart,
  type Insertion,
  isItem,
  type JsonValue,
  startsLine,
} from './config-format.ts';

export const jsonFormat: ConfigFormat = {
  find(text, entry) {
    const node = findNode(text, entry);
    return node && toValue(node);
  },

  insert(text, entry) {
    const root = parse(text);
    if (!root) return { offset: 0, ...renderFile(text, entry) };
    const { container, missing } = findContainer(text, root, entry);
    const { offset, before, after, compact } = findGap(text, container);
    const [key, ...inner] = missing;
    const value = inner.reduceRight<JsonValue>(
      (nested, name) => ({ [name]: nested }),
      entry.isInList && missing.length > 0 ? [entry.value] : entry.value,
    );
    const indent = container.children?.length ? before : before + getUnit(text);
    const item =
      (key === undefined ? '' : `${JSON.stringify(key)}: `) + render(value, compact, indent, text);
    const eol = getLineEnd(text);
    const createdKeys = Math.max(0, entry.isInList ? missing.length : missing.length - 1);
    return { offset, text: compact ? item + after : eol + indent + item + after, createdKeys };
  },

  remove(text, entry, createdKeys) {
    let node = findNode(text, entry);
    if (!node) return text;
    for (let left = createdKeys; left > 0; left--) {
      const container: Node | undefined = getSlot(node).parent;
      if (!container?.parent || container.children?.length !== 1) break;
      node = container;
    }
    return removeSlot(text, getSlot(node));
  },

  isStrict(text) {
    const errors: ParseError[] = [];
    parseTree(text, errors, { allowTrailingComma: false });
    return errors.length === 0 || text.trim() === '';
  },
};

/** Maximum nesting. No configuration needs more, and the parser recurses. */
const MAX_DEPTH = 200;

/** Parses a file. Returns null if it is blank. */
function parse(text: string): Node | null {
  if (text.trim() === '') return null;
  checkDepth(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error)
    throw new ConfigProblem(
      `is not valid JSON: ${printParseErrorCode(error.error)}`,
      getLine(text, error.offset),
    );
  if (root?.type !== 'object') throw new ConfigProblem('is not a JSON object', 1);
  return root;
}

function checkDepth(text: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) depth++;
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth--;
    if (depth > MAX_DEPTH)
      throw new ConfigProblem('is nested too deeply', getLine(text, scanner.getTokenOffset()));
  }
}

/** Kinds of tokens of the scanner, whose enumeration cannot be imported as values. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  end: 17,
} as const;

function findNode(text: string, entry: ConfigEntry): Node | undefined {
  const root = parse(text);
  if (!root) return undefined;
  const { container, missing } = findContainer(text, root, entry);
  if (missing.length > 1 || (entry.isInList && missing.length > 0)) return undefined;
  if (entry.isInList) return container.children?.find((item) => isItem(toValue(item), entry.value));
  return getProperty(text, container, entry.keys.at(-1) ?? '');
}

/** Follows the keys of an entry. Returns the innermost container that exists, and the keys that are missing in it. */
function findContainer(
  text: string,
  root: Node,
  { keys, isInList }: ConfigEntry,
): { container: Node; missing: readonly string[] } {
  let container = root;
  const path = isInList ? keys : keys.slice(0, -1);
  for (const [at, key] of path.entries()) {
    const value = getProperty(text, container, key);
    if (!value) return { container, missing: keys.slice(at) };
    const expected = isInList && at === path.length - 1 ? 'array' : 'object';
    if (value.type !== expected)
      throw new ConfigProblem(`has no ${expected} at "${key}"`, getLine(text, value.offset));
    container = value;
  }
  return { container, missing: keys.slice(path.length) };
}

/** @throws ConfigProblem for a key that occurs twice, since programs differ in which one they read */
function getProperty(text: string, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  const [first, second] = found;
  if (second) throw new ConfigProblem(`has the key "${key}" twice`, getLine(text, second.offset));
  return first?.children?.[1];
}

function toValue(node: Node): JsonValue {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  const pairs = (node.children ?? []).map(({ children = [] }): [string, JsonValue] => [
    children[0]?.value,
    children[1] ? toValue(children[1]) : null,
  ]);
  return Object.fromEntries(pairs);
}

interface Gap {
  offset: number;
  /** White space before the children, or before the container if it is empty. */
  before: string;
  /** Text after the new child. */
  after: string;
  /** True if the container is on one line. */
  compact: boolean;
}

/** Returns where the first child of a container goes. Comments stay with the children that they describe. */
function findGap(text: string, container: Node): Gap {
  const open = container.offset + 1;
  const first = container.children?.[0];
  if (first) {
    if (!text.slice(open, first.offset).includes('\n'))
      return { offset: open, before: '', after: ', ', compact: true };
    const restOfLine = /^[ \t]*(?:\/\/[^\n]*)?(?=\r?\n)/.exec(text.slice(open, first.offset));
    const comment = restOfLine?.[0].replace(/\r$/, '').length ?? 0;
    const before = startsLine(text, first.offset)
      ? getIndent(text, first.offset)
      : getIndent(text, container.offset) + getUnit(text);
    return { offset: open + comment, before, after: ',', compact: false };
  }
  const inner = text.slice(open, container.offset + container.length - 1);
  const isMinified = !text.trim().includes('\n') && text.trim() !== '{}';
  if (isMinified) return { offset: open, before: '', after: '', compact: true };
  const before = getIndent(text, container.offset);
  const after = inner.includes('\n') ? '' : getLineEnd(text) + before;
  return { offset: open, before, after, compact: false };
}

/** Returns the indentation of one level, as the file has it at its first indented line. */
const getUnit = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';

function render(value: JsonValue, compact: boolean, indent: string, text: string): string {
  if (compact) return JSON.stringify(value);
  return JSON.stringify(value, null, getUnit(text)).replaceAll('\n', getLineEnd(text) + indent);
}

/** Renders a file with only the entry, for one that is missing or blank. */
function renderFile(
  text: string,
  { keys, isInList, value }: ConfigEntry,
): Pick<Insertion, 'text' | 'createdKeys'> {
  const root = keys.reduceRight<JsonValue>(
    (nested, key) => ({ [key]: nested }),
    isInList ? [value] : value,
  );
  const json = `${JSON.stringify(root, null, 2)}\n`;
  return {
    text: json.replaceAll('\n', getLineEnd(text)),
    createdKeys: isInList ? keys.length : keys.length - 1,
  };
}

/** Returns the child of a container that holds a node: its property, or the node itself in an array. */
const getSlot = (node: Node): Node => (node.parent?.type === 'property' ? node.parent : node);

/** Removes a child of a container with its line and one comma. */
function removeSlot(text: string, slot: Node): string {
  const siblings = slot.parent?.children ?? [];
  const at = siblings.indexOf(slot);
  const end = slot.offset + slot.length;
  const comma = findComma(text, end);
  const previous = siblings[at - 1];
  const before =
    previous && comma === null ? findComma(text, previous.offset + previous.length) : null;
  const isWholeLine = startsLine(text, slot.offset);
  const lineStart = getLineStart(text, slot.offset);
  const start =
    isWholeLine && lineStart > 0 ? lineStart - (text[lineStart - 2] === '\r' ? 2 : 1) : slot.offset;
  let stop = comma === null ? end : comma + 1;
  if (!isWholeLine && comma !== null) while (text[stop] === ' ') stop++;
  const from =
    before === null
      ? text.slice(0, start)
      : text.slice(0, before) + text.slice(before + 1, Math.max(start, before + 1));
  const left = from + text.slice(stop);
  return siblings.length === 1 && slot.parent ? collapse(left, slot.parent.offset) : left;
}

/** Writes a container without content on one line. */
function collapse(text: string, open: number): string {
  const inner = /^\s*(?=[}\]])/.exec(text.slice(open + 1))?.[0] ?? '';
  return text.slice(0, open + 1) + text.slice(open + 1 + inner.length);
}

/** Returns the offset of the comma that follows after white space and comments; null if something else does. */
function findComma(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return scanner.scan() === TOKEN.comma ? scanner.getTokenOffset() : null;
}
