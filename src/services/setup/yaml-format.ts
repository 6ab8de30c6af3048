/** Edits YAML: adds an entry after the line of the key above it, and removes it by its lines. */
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  stringify,
} from 'yaml';
import {
  type ConfigEntry,
  type ConfigFormat,
  ConfigProblem,
  getIndent,
  getLineEnd,
  getLineStart,
  isItem,
  isRecord,
  isSame,
  type JsonValue,
} from './config-format.ts';

export const yamlFormat: ConfigFormat = {
  find: (text, entry) => findValue(toValue(parse(text)), entry),

  insert(text, entry) {
    const insertion = findInsertion(text, entry);
    const { offset, text: inserted } = insertion;
    const after = toValue(parse(text.slice(0, offset) + inserted + text.slice(offset)));
    const before = toValue(parse(text));
    if (
      !isSame(findValue(after, entry), entry.value) ||
      !isSame(without(after, entry), without(before, entry))
    )
      throw new ConfigProblem(`has "${getTop(entry)}" in a form that cannot be edited`);
    return insertion;
  },

  remove(text, entry, createdKeys) {
    const document = parse(text);
    const left = removeItem(text, document, entry, createdKeys);
    const after = toValue(parse(left));
    const isGone = findValue(after, entry) === undefined;
    if (!isGone || !isSame(without(after, entry), without(toValue(document), entry)))
      throw new ConfigProblem(`has "${getTop(entry)}" in a form that cannot be edited`);
    return left;
  },

  isStrict: () => true,
};

function parse(text: string): Document.Parsed {
  const documents = parseAllDocuments(text);
  if ('empty' in documents) return parse('null');
  const [document, second] = documents;
  if (!document || second) throw new ConfigProblem('has several YAML documents');
  const [error] = document.errors;
  if (error)
    throw new ConfigProblem(`is not valid YAML: ${error.code}`, error.linePos?.[0].line ?? null);
  return document;
}

function toValue(document: Document.Parsed): JsonValue {
  try {
    return document.toJS() as JsonValue;
  } catch (error) {
    // Aliases that would expand without end.
    throw new ConfigProblem(`cannot be read: ${(error as Error).message}`);
  }
}

const getTop = ({ keys }: ConfigEntry): string => keys[0] ?? '';

/** Returns the entry's value. Entries are one level below a key of the file. */
function findValue(value: JsonValue, entry: ConfigEntry): JsonValue | undefined {
  if (!isRecord(value)) return undefined;
  const container = value[getTop(entry)];
  if (entry.isInList)
    return Array.isArray(container)
      ? container.find((item) => isItem(item, entry.value))
      : undefined;
  const name = entry.keys[1] ?? '';
  return isRecord(container) && Object.hasOwn(container, name) ? container[name] : undefined;
}

/** Returns a file's value without the entry; an empty container counts as a missing one. */
function without(value: JsonValue, entry: ConfigEntry): JsonValue {
  if (!isRecord(value)) return {};
  const { [getTop(entry)]: container, ...others } = value;
  if (Array.isArray(container)) {
    const items = container.filter((item) => !isItem(item, entry.value));
    return items.length === 0 ? others : { ...others, [getTop(entry)]: items };
  }
  if (!isRecord(container)) return container == null ? others : value;
  const { [entry.keys[1] ?? '']: _ours, ...rest } = container;
  return Object.keys(rest).length === 0 ? others : { ...others, [getTop(entry)]: rest };
}

function findInsertion(text: string, entry: ConfigEntry) {
  const document = parse(text);
  const eol = getLineEnd(text);
  const contents = document.contents;
  const pair = isMap(contents) ? findPair(contents, getTop(entry)) : undefined;
  if (!pair) {
    const gap = text === '' || text.endsWith('\n') ? '' : eol;
    const added = `${getTop(entry)}:\n${renderItem(entry, '  ')}`.replaceAll('\n', eol);
    return { offset: text.length, text: gap + added, createdKeys: 1 };
  }
  const { key, value } = pair;
  if (isCollection(value) && value.flow) {
    const offset = getStart(value) + 1;
    const name = entry.isInList ? '' : `${JSON.stringify(entry.keys[1])}: `;
    const comma = value.items.length > 0 ? ', ' : '';
    return { offset, text: name + JSON.stringify(entry.value) + comma, createdKeys: 0 };
  }
  const lineEnd = text.indexOf('\n', getStart(key));
  const offset = lineEnd < 0 ? text.length : lineEnd + 1;
  const item = renderItem(entry, findIndent(text, value)).replaceAll('\n', eol);
  return { offset, text: (lineEnd < 0 ? eol : '') + item, createdKeys: 0 };
}

function findPair(map: Node, key: string): Pair | undefined {
  if (!isMap(map)) return undefined;
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function getStart(node: unknown): number {
  if (!isNode(node) || !node.range) throw new ConfigProblem('cannot be edited');
  return node.range[0];
}

/** Returns the indentation of the items of a block; two spaces if there are none. */
function findIndent(text: string, value: unknown): string {
  if (!isCollection(value) || value.items.length === 0) return '  ';
  return getIndent(text, getItemStart(value.items[0]));
}

function getItemStart(item: unknown): number {
  return getStart(isPair(item) ? item.key : item);
}

function renderItem({ keys, isInList, value }: ConfigEntry, indent: string): string {
  const rendered = stringify(isInList ? [value] : { [keys[1] ?? '']: value }, { lineWidth: 0 });
  return rendered.replaceAll(/^(?=.)/gm, indent);
}

/** Removes an entry, and the key above it if Locus created it and it is empty then. */
function removeItem(
  text: string,
  document: Document.Parsed,
  entry: ConfigEntry,
  createdKeys: number,
): string {
  const pair = isMap(document.contents) ? findPair(document.contents, getTop(entry)) : undefined;
  const container = pair?.value;
  if (!pair || !isCollection(container)) return text;
  const item = container.items.find((candidate) =>
    isPair(candidate)
      ? isScalar(candidate.key) && candidate.key.value === entry.keys[1]
      : isSeq(container) && isNode(candidate) && isItem(candidate.toJS(document), entry.value),
  );
  if (!item) return text;
  const last = isPair(item) ? (item.value ?? item.key) : item;
  const end = isNode(last) ? (last.range?.[1] ?? 0) : 0;
  if (container.flow) return removeBetweenCommas(text, getItemStart(item), end);
  const isAll = createdKeys > 0 && container.items.length === 1;
  return removeLines(text, isAll ? getStart(pair.key) : getItemStart(item), end);
}

/** Removes the lines from that of the first offset to that of the last character before the second. */
function removeLines(text: string, from: number, to: number): string {
  const lineEnd = text.indexOf('\n', text.slice(0, to).trimEnd().length);
  return text.slice(0, getLineStart(text, from)) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}

/** Removes an item of a flow collection with one comma. */
function removeBetweenCommas(text: string, start: number, end: number): string {
  const after = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (after !== undefined) return text.slice(0, start) + text.slice(end + after.length);
  return text.slice(0, start).replace(/,\s*$/, '') + text.slice(end);
}
