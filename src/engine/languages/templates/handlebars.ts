/** Templates of Handlebars and Mustache: `{{#block}}`, `{{> partial}}`, `{{helper value}}`. */
import type { TemplateDialect } from './dialect.ts';
import { findChains } from './names.ts';
import type { TemplateCode } from './template-code.ts';

const NEXT = /<(?:script\b|!--)|\bon[a-z]{3,20}=["']|\{\{/g;
/** Partial, layout, or the start or end of a block, with its name. */
const SIGN =
  /^[{~]{0,2}(!<|[>#^/!])([>*]?)[ \t\r\n]{0,20}(?:([\w-]{1,60})[ \t]{1,20}(?=["']))?(["']?)([\w@.:/-]{1,200})/;
const INLINE = 'inline';
const KEYWORDS =
  /^(?:if|unless|each|with|else|lookup|log|as|this|true|false|null|undefined|yield|outlet)$/;

export const handlebars: TemplateDialect = {
  next: NEXT,
  read: (code, at) => readMustache(code, at) ?? readValue(code, at),
};

/** Reads a tag with a sign, such as `{{> partial}}`; null for another one. */
export function readMustache(code: TemplateCode, at: number): number | null {
  const { text } = code;
  const inner = text.slice(at + 2, at + 320);
  if (inner.startsWith('!--')) return endAfter(code, at, '--}}');
  const sign = SIGN.exec(inner);
  if (!sign) return inner.startsWith('!') ? endAfter(code, at, '}}') : null;
  const [whole, mark, second, word = '', quote, name = ''] = sign;
  const end = endAfter(code, at, '}}');
  if (code.isInScript(at)) code.fillScript(at, end, false);
  const nameStart = at + 2 + whole.length - name.length;
  const isPartial = mark === '>' || mark === '!<' || second === '>';
  if (isPartial) code.addInclude(nameStart, name);
  if (mark === '#') {
    // `{{#* inline "name"}}` defines a partial, and `{{#helper "text"}}` has a text as its first argument.
    const isInline = second === '*' && word === INLINE;
    const closer = word || name;
    code.open(at, isInline ? name : null, [isPartial ? name : closer]);
    if (!isPartial && !isInline && (word !== '' || quote === ''))
      addHelper(code, at + 2 + whole.indexOf(closer), closer);
  } else if (mark === '/') code.close(end, name);
  if (mark === '#' || mark === '>') addCalls(code, at + 2 + whole.length, end - 2);
  return end;
}

/** Reads `{{value}}` and `{{helper value}}`. */
function readValue(code: TemplateCode, at: number): number {
  const end = endAfter(code, at, code.text[at + 2] === '{' ? '}}}' : '}}');
  if (code.isInScript(at)) {
    code.fillScript(at, end, true);
    return end;
  }
  const [first] = findChains(code.text, at + 2, end - 2);
  if (first && /^\s+[\w"'(@.]/.test(first.after)) {
    const [{ at: start, name }] = first.parts;
    if (first.parts.length === 1) addHelper(code, start, name);
  }
  addCalls(code, at + 2, end - 2);
  return end;
}

/** Adds the helpers in parentheses: `{{link (url post)}}`. */
function addCalls(code: TemplateCode, start: number, end: number): void {
  for (const { parts, before } of findChains(code.text, start, end))
    if (before === '(') addHelper(code, parts[0].at, parts[0].name);
}

function addHelper(code: TemplateCode, at: number, name: string): void {
  const [word = ''] = /^[\w$]+/.exec(name) ?? [];
  if (word !== '' && !/^\d/.test(word) && !KEYWORDS.test(word)) code.addChain([{ at, name: word }]);
}

/** Returns the offset after the end of a tag; after its braces if it has none. */
function endAfter(code: TemplateCode, at: number, closer: string): number {
  const end = code.find(closer, at + 2);
  return end < 0 ? at + 2 : end + closer.length;
}
