/**
 * Translates `tags.scm`, in which grammars list their definitions and references for code navigation, into the queries of Locus.
 * https://tree-sitter.github.io/tree-sitter/4-code-navigation.html describes the captures.
 */
import { type QueryExpression, readQuery, splitPatterns, writeQuery } from '../query-source.ts';

/** Parts of the role `definition`, by the kind in a tag. Values of other kinds, such as constants, belong to what is around them. */
const DEFINITIONS: ReadonlyMap<string, 'function' | 'class' | 'namespace'> = new Map([
  ['function', 'function'],
  ['method', 'function'],
  ['macro', 'function'],
  ['constructor', 'function'],
  ['class', 'class'],
  ['interface', 'class'],
  ['module', 'class'],
  ['type', 'class'],
  ['enum', 'class'],
  ['struct', 'class'],
  ['object', 'class'],
  ['trait', 'class'],
  ['namespace', 'namespace'],
]);
/** Roles of references, by the kind in a tag. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['call', 'call'],
  ['send', 'call'],
  ['class', 'call'],
]);
/** Captures that Locus understands beside the name, in a tag's pattern. */
const PARTS: ReadonlySet<string> = new Set(['name', 'body', 'end', 'owner']);
/** Roles of Locus that a query may use beside tags. */
const ROLES: ReadonlySet<string> = new Set(['before', 'decorated']);
const PREDICATES = /^#(?:not-)?(?:eq|match|any-of)\?$/;

/**
 * Returns a query of Locus with the tags of a query, and with patterns for comments and syntax errors.
 * @param comments node types of comments
 * @throws Error for bad syntax
 */
export function translateTags(source: string, comments: readonly string[]): string {
  const patterns = splitPatterns(readQuery(source)).flatMap(translatePattern);
  return [
    ...patterns.map(writeQuery),
    ...comments.map((type) => `(${type}) @before.node`),
    '(ERROR) @error.node',
    '(MISSING) @error.node',
  ].join('\n');
}

/** Returns the pattern with the captures of Locus, or nothing if it has no tag that counts. */
function translatePattern(pattern: QueryExpression[]): QueryExpression[][] {
  const captures = listWords(pattern).filter(isCapture);
  if (captures.some((name) => ROLES.has(name.slice(1).split('.')[0] ?? ''))) return [pattern];
  for (const capture of captures) {
    const [, tag, kind = ''] = /^@(definition|reference)\.(.+)$/.exec(capture) ?? [];
    const isDefinition = tag === 'definition';
    const part = isDefinition ? DEFINITIONS.get(kind) : 'node';
    const role = isDefinition ? tag : REFERENCES.get(kind);
    if (!tag || !part || !role) continue;
    const rename = (name: string) => renameCapture(name, capture, role, part);
    return [renameCaptures(selectTagged(pattern, capture), rename)];
  }
  return [];
}

function renameCapture(name: string, tagged: string, role: string, part: string): string | null {
  if (name === tagged) return `@${role}.${part}`;
  const own = name.slice(1);
  if (own === 'doc') return null;
  return `@${role}.${PARTS.has(own) ? own : `other_${own.replaceAll('.', '_')}`}`;
}

/**
 * Reduces a group of siblings, such as comments and the definition below them, to the one with the tag, and its conditions. The
 * comments above definitions are found without them.
 */
function selectTagged(pattern: QueryExpression[], tagged: string): QueryExpression[] {
  const [group, ...captures] = pattern;
  if (group?.form !== 'node' || group.items[0]?.form === 'word') return dropConditions(pattern);
  const nodes = splitPatterns(group.items.filter((item) => !isCondition(item) && !isAnchor(item)));
  const chosen = nodes.find((node) => listWords(node).includes(tagged)) ?? nodes[0] ?? [];
  const kept = [...chosen, ...group.items.filter(isCondition)];
  return dropConditions([{ form: 'node', items: kept }, ...captures]);
}

/** Leaves out conditions that Locus does not check: directives, and those on captures of nodes that were left out. */
function dropConditions(pattern: QueryExpression[]): QueryExpression[] {
  const captures = new Set(listWords(pattern, isCondition).filter(isCapture));
  const isKept = (item: QueryExpression) => {
    if (!isCondition(item)) return true;
    const [operator, subject] = item.items.map((one) => ('text' in one ? one.text : ''));
    return PREDICATES.test(operator ?? '') && captures.has(subject ?? '');
  };
  return mapLists(pattern, (items) => items.filter(isKept));
}

function renameCaptures(
  pattern: QueryExpression[],
  rename: (name: string) => string | null,
): QueryExpression[] {
  return mapLists(pattern, (items) =>
    items.flatMap((item): QueryExpression[] => {
      if (item.form !== 'word' || !isCapture(item.text)) return [item];
      const text = rename(item.text);
      return text === null ? [] : [{ form: 'word', text }];
    }),
  );
}

/** Maps every list of expressions in a pattern, outer ones first. */
function mapLists(
  items: QueryExpression[],
  map: (items: QueryExpression[]) => QueryExpression[],
): QueryExpression[] {
  return map(items).map((item) =>
    'items' in item ? { ...item, items: mapLists(item.items, map) } : item,
  );
}

/** Returns the words of a pattern, inner ones included, without those in expressions that are `skipped`. */
function listWords(
  items: readonly QueryExpression[],
  skipped: (item: QueryExpression) => boolean = () => false,
): string[] {
  return items.flatMap((item) => {
    if (skipped(item)) return [];
    return 'items' in item
      ? listWords(item.items, skipped)
      : item.form === 'word'
        ? [item.text]
        : [];
  });
}

const isCapture = (word: string) => word.startsWith('@');

const isAnchor = (item: QueryExpression) => item.form === 'word' && item.text === '.';

function isCondition(item: QueryExpression): item is QueryExpression & { form: 'node' } {
  const [first] = item.form === 'node' ? item.items : [];
  return first?.form === 'word' && first.text.startsWith('#');
}
