/** Templates of Django, Jinja, Twig and Liquid: `{% tag %}`, `{{ value|filter }}`, `{# comment #}`. */
import type { TemplateDialect } from './dialect.ts';
import { readMustache } from './handlebars.ts';
import { findChains, findQuoted, type NameChain } from './names.ts';
import type { TemplateCode } from './template-code.ts';

const NEXT = /<(?:script\b|!--)|\bon[a-z]{3,20}=["']|\{[{%#]/g;
/** Tag: its name, and the name of what it defines. */
const TAG = /^[-+~]?[ \t\r\n]{0,20}([\w:]{1,60})(?:[ \t\r\n]{1,20}([\w.:-]{1,100}))?/;
const NAMED = /^(?:block|macro|partialdef)$/;
const INCLUDES =
  /^(?:include|extends|import|from|embed|use|include_relative|theme_include|render)$/;
/** Name of a file without quotes, as in Jekyll: `{% include head.html %}`. */
const BARE_FILE = /^[\w./-]{1,200}\.\w{1,10}$/;
/** Tags of any of the languages that are no functions of a project. */
const CONTROL =
  /^(?:end\w*|if\w*|el(?:se|if|seif|sif)|for\w*|empty|with|set|load|do|call|case|when|unless|assign|comment|raw|verbatim|filter|autoescape|trans|blocktrans)$/;
const KEYWORDS = /^(?:and|or|not|in|is|if|else|as|with|true|false|True|False|None|null|none)$/;
/** Objects of the languages. */
const OBJECTS = /^(?:forloop|loop|block|self|super|caller|this)$/;
/** Call of a Twig function that includes a template. */
const INCLUDE_CALL = /^(?:include|source)$/;
/** Actions of Go's templates, all ended by `end`. */
const GO =
  /^-?[ \t]{0,20}(define|block|template|partial|if|range|with|end)(?=[ \t}-])(?:[ \t]{1,20}"([^"\n]{1,200})")?/;

/** Dialect with tags in braces. */
export const curly: TemplateDialect = { next: NEXT, read };

/** Dialect of HTML files, which also hold templates of Go and Mustache. */
export const html: TemplateDialect = {
  next: NEXT,
  read: (code, at, mark) =>
    (mark === '{{' && (readGo(code, at) ?? readMustache(code, at))) || read(code, at, mark),
};

function read(code: TemplateCode, at: number, mark: string): number {
  const closing = code.find(mark === '{{' ? '}}' : mark === '{%' ? '%}' : '#}', at + 2);
  if (closing < 0) return at + 2;
  const end = closing + 2;
  if (code.isInScript(at)) code.fillScript(at, end, mark === '{{');
  if (mark === '{%') readTag(code, at, closing);
  else if (mark === '{{') addNames(code, at + 2, closing);
  return end;
}

function readTag(code: TemplateCode, at: number, closing: number): void {
  const inner = code.text.slice(at + 2, Math.min(closing, at + 400));
  const tag = TAG.exec(inner);
  if (!tag) return;
  const [whole, word = '', name = ''] = tag;
  const argument = at + 2 + whole.length;
  if (word.startsWith('end')) code.close(closing + 2, word);
  else if (NAMED.test(word)) {
    // Twig's short form has the content in the tag.
    const isShort = word === 'block' && /^[ \t]*["'\w]/.test(code.text.slice(argument, closing));
    if (name !== '' && !isShort) code.open(at, name, [`end${word}`], word === 'block');
    addNames(code, argument, closing);
    return;
  } else if (INCLUDES.test(word)) {
    const quoted = findQuoted(code.text, at, closing);
    if (quoted) code.addInclude(quoted.at, quoted.value);
    else if (BARE_FILE.test(name)) code.addInclude(argument - name.length, name);
  } else if (!CONTROL.test(word)) {
    const start = at + 2 + inner.indexOf(word);
    code.addChain([{ at: start, name: word.replace(/:.*/, '') }]);
  }
  addNames(code, at + 2 + inner.indexOf(word) + word.length, closing);
}

/** Adds the functions, filters and methods in an expression. Other names are variables. */
function addNames(code: TemplateCode, start: number, end: number): void {
  for (const chain of findChains(code.text, start, end)) {
    const { name } = chain.parts[0];
    if (KEYWORDS.test(name) || OBJECTS.test(name)) continue;
    const quoted = INCLUDE_CALL.test(name) && findQuoted(chain.after, 0, chain.after.length);
    if (quoted) code.addInclude(chain.end + quoted.at, quoted.value);
    else if (isFunction(chain)) code.addChain(chain.parts);
  }
}

function isFunction({ parts, before, after }: NameChain): boolean {
  return parts.length > 1 || before === '|' || /^\s?\(/.test(after);
}

/** Reads an action of Go's templates; null for another one. */
function readGo(code: TemplateCode, at: number): number | null {
  const { text } = code;
  const action = GO.exec(text.slice(at + 2, at + 260));
  const closing = action ? code.find('}}', at) : -1;
  if (!action || closing < 0) return null;
  const [whole, word = '', name] = action;
  const end = closing + 2;
  if (code.isInScript(at)) code.fillScript(at, end, false);
  if (word === 'end') code.close(end, word);
  else if (word === 'template' || word === 'partial') {
    const start = at + 1 + whole.length - (name ?? '').length;
    // A template is called by its own name, or by that of its file.
    if (name !== undefined && /^\w+$/.test(name)) code.addChain([{ at: start, name }]);
    else if (name !== undefined) code.addInclude(start, name);
  } else {
    const isNamed = word === 'define' || word === 'block';
    code.open(at, isNamed ? (name ?? null) : null, ['end'], false);
  }
  addNames(code, at + 2 + whole.length, closing);
  return end;
}
