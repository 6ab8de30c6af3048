/** Templates with Ruby or JavaScript in `<% %>`. */
import type { TemplateDialect } from './dialect.ts';
import { findChains, findQuoted, type NameChain } from './names.ts';
import type { TemplateCode } from './template-code.ts';

const NEXT = /<(?:%|script\b|!--)|\bon[a-z]{3,20}=["']/g;
/** Call that includes a template, up to its quote. */
const RENDER =
  /\b(?:render|include|partial)\b[ \t(]{0,20}(?::?(?:partial|template|layout|file)[ \t]{0,20}(?::|=>)[ \t]{0,20})?(?=["'])/;
/** First words of blocks that `end` ends. */
const BLOCK = /^[-=\s]{0,20}(?:if|unless|case|while|until|for|begin)\b/;
const DO = /\bdo(?:[ \t]{0,20}\|[^|\n]{0,200}\|)?[ \t\r\n]{0,20}-?$/;
const END = /^[-\s]{0,20}end\b/;
const CONTENT = /\bcontent_for[ (]{1,10}:?["']?(\w{1,100})/;
const PARAMETERS = /\|([^|\n]{1,200})\|/g;
const ASSIGNED = /(?<![\w.@])([a-z_]\w{0,60})[ \t]{0,10}=(?![=~>])/g;
const KEYWORDS =
  /^(?:if|unless|else|elsif|end|do|then|case|when|while|until|for|in|and|or|not|nil|true|false|self|yield|return|begin|rescue|ensure|next|break|defined\?|super|render|include|content_for|it)$/;
/** Start of an argument after the name of a method that is called without parentheses. */
const ARGUMENT = /^(?:\(|[ \t]+["':@[{]|[ \t]+[\p{L}_])/u;

export const erb: TemplateDialect = { next: NEXT, read };

function read(code: TemplateCode, at: number): number {
  const { text } = code;
  const closing = code.find('%>', at + 2);
  if (closing < 0) return at + 2;
  const end = closing + 2;
  const kind = text.charAt(at + 2);
  if (code.isInScript(at)) code.fillScript(at, end, kind === '=' || kind === '-');
  if (kind === '#' || kind === '%') return end;
  const inner = text.slice(at + 2, closing);
  readBlocks(code, at, end, inner);
  const render = RENDER.exec(inner);
  const quoted = render && findQuoted(text, at + 2 + render.index, closing);
  if (quoted) code.addInclude(quoted.at, quoted.value);
  for (const [, names = ''] of inner.matchAll(PARAMETERS))
    for (const [name] of names.matchAll(/[a-z_]\w*/g)) code.addLocal(name);
  for (const [, name = ''] of inner.matchAll(ASSIGNED)) code.addLocal(name);
  for (const chain of findChains(text, at + 2, closing))
    if (isCalled(chain)) code.addChain(chain.parts);
  return end;
}

function readBlocks(code: TemplateCode, at: number, end: number, inner: string): void {
  if (END.test(inner)) code.close(end, 'end');
  else if (BLOCK.test(inner) || DO.test(inner.slice(-300)))
    code.open(at, CONTENT.exec(inner)?.[1] ?? null, ['end']);
}

/** Returns true for what may be a method: neither a symbol nor a key, and no word that is likely a variable. */
function isCalled({ parts, before, after }: NameChain): boolean {
  const [{ name }] = parts;
  if (KEYWORDS.test(name) || before === ':' || /^:(?!:)/.test(after)) return false;
  if (parts.length > 1) return true;
  if (name.startsWith('@') || before === '|' || (before === ',' && after.startsWith('|')))
    return false;
  return ARGUMENT.test(after) || name.includes('_') || /[?!]$/.test(name);
}
