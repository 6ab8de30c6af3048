/** Reads and writes the text of tree-sitter queries. */

/** Node of a query's text: a list in parentheses or in brackets, a string, or a word. */
export type QueryExpression =
  | { form: 'node' | 'choice'; items: QueryExpression[] }
  | { form: 'string' | 'word'; text: string };

const TOKEN =
  /\s+|;[^\n]*|"(?<string>(?:[^"\\]|\\.)*)"|(?<bracket>[()[\]])|(?<word>[^\s()[\]";]+)/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Returns the expressions of a query. @throws Error for unbalanced brackets */
export function readQuery(source: string): QueryExpression[] {
  const open: { form: 'node' | 'choice'; items: QueryExpression[] }[] = [
    { form: 'choice', items: [] },
  ];
  const add = (expression: QueryExpression) => open.at(-1)?.items.push(expression);
  for (let at = 0; at < source.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source);
    if (!token) throw new Error(`The query has bad syntax at offset ${at}.`);
    at = TOKEN.lastIndex;
    const { string, bracket, word } = token.groups ?? {};
    if (string !== undefined)
      add({ form: 'string', text: string.replace(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c) });
    if (word !== undefined) add({ form: 'word', text: word });
    if (bracket === '(' || bracket === '[')
      open.push({ form: bracket === '(' ? 'node' : 'choice', items: [] });
    if (bracket === ')' || bracket === ']') {
      const closed = open.pop();
      if (!closed || open.length === 0 || (closed.form === 'node') !== (bracket === ')'))
        throw new Error(`The query has an unbalanced bracket at offset ${at}.`);
      add(closed);
    }
  }
  const [all, ...others] = open;
  if (!all || others.length > 0) throw new Error('The query lacks a closing bracket.');
  return all.items;
}

const DEFINITION = '#define!';

/**
 * Returns the text of a query with its named expressions in place of their names. After `(#define! callbacks "map" "filter")`,
 * `$callbacks` stands for both strings. What is defined contains no names itself.
 * @throws Error for a name that is not defined before, or for bad syntax
 */
export function expandNames(source: string): string {
  if (!source.includes(DEFINITION)) return source;
  const defined = new Map<string, readonly QueryExpression[]>();
  const expand = (items: readonly QueryExpression[]): QueryExpression[] =>
    items.flatMap((item): QueryExpression[] => {
      if ('items' in item) return [{ ...item, items: expand(item.items) }];
      if (item.form === 'string' || !item.text.startsWith('$')) return [item];
      const named = defined.get(item.text);
      if (!named) throw new Error(`The query uses ${item.text} before it is defined.`);
      return [...named];
    });
  const patterns = readQuery(source).flatMap((item) => {
    if (!('items' in item)) return expand([item]);
    const [head, name, ...items] = item.items;
    if (head?.form !== 'word' || head.text !== DEFINITION) return expand([item]);
    if (name?.form === 'word') defined.set(`$${name.text}`, items);
    return [];
  });
  return writeQuery(patterns);
}

/** Splits a query before each list or string, so that each part is one pattern with its captures. */
export function splitPatterns(items: readonly QueryExpression[]): QueryExpression[][] {
  const patterns: QueryExpression[][] = [];
  for (const item of items) {
    if (item.form !== 'word' || item.text === '_') patterns.push([item]);
    else patterns.at(-1)?.push(item);
  }
  return patterns;
}

/** Returns the text of expressions, as `readQuery` reads it. */
export function writeQuery(items: readonly QueryExpression[]): string {
  return items.map(writeExpression).join(' ');
}

const UNESCAPED: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\0': '0' };

function writeExpression(expression: QueryExpression): string {
  switch (expression.form) {
    case 'node':
      return `(${writeQuery(expression.items)})`;
    case 'choice':
      return `[${writeQuery(expression.items)}]`;
    case 'string':
      return `"${expression.text.replace(/["\\\n\r\t\0]/g, (c) => `\\${UNESCAPED[c] ?? c}`)}"`;
    case 'word':
      return expression.text;
  }
}
