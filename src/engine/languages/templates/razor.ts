/** Templates of ASP.NET: `@name`, `@(…)`, `@{ … }`, `@section Name { }`, `@code { }`, components. */
import type { TemplateDialect } from './dialect.ts';
import { findChains, findQuoted } from './names.ts';
import type { TemplateCode } from './template-code.ts';

const NEXT =
  /<(?:script\b|!--|partial\b|[A-Z]\w{0,60})|\bon[a-z]{3,20}=["']|(?<![\w@])@(?:[({*]|[A-Za-z_]\w{0,60})/g;
const PARTIAL = /\bname="([\w./~-]{1,200})"/;
const CODE = /^(?:code|functions)$/;
/** Directives whose line has no calls. */
const DECLARATIONS =
  /^(?:model|using|inject|page|inherits|implements|namespace|attribute|addTagHelper|removeTagHelper|tagHelperPrefix|typeparam|rendermode)$/;
const STATEMENTS = /^(?:if|for|foreach|while|switch|lock|using)$/;
/** Calls that include a template. */
const INCLUDES = /^(?:Partial|PartialAsync|RenderPartial|RenderPartialAsync|InvokeAsync)$/;
const LAYOUT = /^Layout$/;
const KEYWORDS =
  /^(?:await|new|var|if|else|for|foreach|while|switch|return|typeof|nameof|using|lock|catch|in|is|as)$/;
/** Maximum length of a method's parameters in UTF-16 units. */
const MAX_HEADER = 500;
/** Value of an attribute that handles an event: the method in `@onclick="Save"` or `@onclick="@(Save)"`. */
const HANDLER = /^="(?:@\(?)?([A-Za-z_]\w{0,100})(?=\)?")/;
/** Header of a method, up to its parentheses. */
const METHOD =
  /^[ \t]{0,40}(?:(?:public|private|protected|internal|static|async|override|virtual|void|Task(?:<[^<>\n]{0,100}>)?)[ \t]{1,8}){1,6}(?:[\w<>[\]?,.]{1,100}[ \t]{1,8})?(\w{1,100})[ \t]{0,4}\(/gm;

export const razor: TemplateDialect = { next: NEXT, read };

function read(code: TemplateCode, at: number, mark: string): number {
  const { text } = code;
  const start = at + mark.length;
  if (mark === '<partial') {
    const name = PARTIAL.exec(text.slice(at, at + 300));
    const quoted = name && findQuoted(text, at + name.index, at + 300);
    if (quoted) code.addInclude(quoted.at, quoted.value);
    return start;
  }
  if (mark.startsWith('<')) {
    code.addInclude(at + 1, mark.slice(1));
    return start;
  }
  if (mark === '@*') return skipComment(code, start);
  if (mark === '@{' || mark === '@(') return readBrackets(code, at, at + 1);
  return readWord(code, at, mark.slice(1));
}

function skipComment(code: TemplateCode, start: number): number {
  const end = code.find('*@', start);
  return end < 0 ? start : end + 2;
}

/** Reads the code between brackets. Returns the offset after it; that after the bracket if it does not end. */
function readBrackets(code: TemplateCode, at: number, open: number): number {
  const closing = code.findCloser(open);
  if (closing < 0) return open + 1;
  if (code.isInScript(at)) code.fillScript(at, closing + 1, code.text[open] === '(');
  addNames(code, open + 1, closing);
  return closing + 1;
}

function readWord(code: TemplateCode, at: number, word: string): number {
  const { text } = code;
  const after = at + 1 + word.length;
  const line = text.slice(after, after + 200);
  const [space = ''] = /^\s{0,40}/.exec(line) ?? [];
  const open = after + space.length;
  if (DECLARATIONS.test(word)) return lineEnd(text, after);
  if (CODE.test(word) && text[open] === '{') return readCode(code, open);
  if (word === 'section') {
    const name = /^[ \t]+(\w{1,100})\s{0,40}\{/.exec(line);
    const closing = name ? code.findCloser(after + name[0].length - 1) : -1;
    if (name && closing >= 0) code.addPart(name[1] ?? '', at, closing + 1, true);
    return name ? after + name[0].length : after;
  }
  const handler = HANDLER.exec(line);
  if (word.startsWith('on') && handler) {
    const [whole, name = ''] = handler;
    code.addChain([{ at: after + whole.length - name.length, name }]);
    return after + whole.length;
  }
  if (STATEMENTS.test(word) && text[open] === '(') return readBrackets(code, at, open);
  return readExpression(code, at, after);
}

/** Reads `@Model.Name(…).Other`. */
function readExpression(code: TemplateCode, at: number, after: number): number {
  const { text } = code;
  const expression = /^(?:await\s)?[\w.]{1,200}/.exec(text.slice(at + 1, at + 220));
  const name = expression ? at + 1 + expression[0].length : after;
  const closing = text[name] === '(' ? code.findCloser(name) : -1;
  const end = closing < 0 ? name : closing + 1;
  addNames(code, at + 1, end);
  if (code.isInScript(at)) code.fillScript(at, end, true);
  return end;
}

/** Reads a block of C# with its methods, which are parts. */
function readCode(code: TemplateCode, open: number): number {
  const { text } = code;
  const closing = code.findCloser(open);
  if (closing < 0) return open + 1;
  const inner = text.slice(open, closing);
  let [before, from] = [0, open + 1];
  for (const found of inner.matchAll(METHOD)) {
    const header = open + found.index + found[0].length;
    const brace = text.slice(header, header + MAX_HEADER).indexOf('{');
    if (found.index < before || brace < 0) continue;
    const end = code.findCloser(header + brace);
    if (end < 0) continue;
    const indent = found[0].search(/\S/);
    code.addPart(found[1] ?? '', open + found.index + indent, end + 1, false);
    addNames(code, from, open + found.index);
    [before, from] = [end - open, header];
  }
  addNames(code, from, closing);
  return closing + 1;
}

/** Adds the methods that are called, and members. */
function addNames(code: TemplateCode, start: number, end: number): void {
  for (const { parts, after, end: last } of findChains(code.text, start, end)) {
    const name = parts.at(-1)?.name ?? '';
    if (KEYWORDS.test(parts[0].name)) continue;
    const isInclude = INCLUDES.test(name) || (LAYOUT.test(name) && /^\s?=\s?"/.test(after));
    const quoted = isInclude && findQuoted(after, 0, after.length);
    if (quoted) code.addInclude(last + quoted.at, quoted.value);
    else if (after.startsWith('(') || parts.length > 1) code.addChain(parts.map(removeMark));
  }
}

function removeMark({ at, name }: { at: number; name: string }): { at: number; name: string } {
  return name.startsWith('@') ? { at: at + 1, name: name.slice(1) } : { at, name };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
